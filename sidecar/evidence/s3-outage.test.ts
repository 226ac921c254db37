import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import { verifyManifest } from '../../store/verify-manifest.ts';
import { findVersitygw, type S3Server, startS3Server } from '../../store/versitygw.fixture.ts';
import { aRequest, openEvidenceSession, ATTEMPT_PREFIX } from './evidence.fixture.ts';

const binary = findVersitygw();
if (binary === null) console.warn('s3-outage.test.ts: no versitygw on this machine: skipped');

describe.skipIf(binary === null)('with a real S3 server', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server(binary as string);
  });
  afterAll(() => server.close());

  test('two outages, one during the run and one during finalise, lose nothing', async () => {
    const store = await openStore({ kind: 's3', s3: server.location }, { env: server.env, retrySeconds: 0 });
    let retries = 0;
    const session = await openEvidenceSession({ store, intervalMs: 200, onUploadRetry: () => void (retries += 1) });
    const { evidence, dirs } = session;
    const video = join(dirs.recording, 'recording.mp4');
    const part = Buffer.alloc(12 * 1024 * 1024, 'fragment');
    const act = (from: number): void => {
      for (let n = from; n < from + 100; n++) evidence.action({ type: 'click', n });
      evidence.request(aRequest({ url: `https://shop.test/${String(from)}` }));
      evidence.screenshot(1_700_000_000_000 + from, new Uint8Array(50_000));
    };
    await writeFile(video, part);
    act(0);
    await sleep(600);
    await server.stop();
    await appendFile(video, part);
    act(100);
    await sleep(600);
    expect(retries).toBeGreaterThan(0);
    await server.start();
    act(200);
    await sleep(600);
    await server.stop();
    setTimeout(() => void server.start(), 700);
    const result = await session.finalise(AbortSignal.timeout(14_000));
    expect(result).toMatchObject({
      evidence: 'Complete',
      facts: { actions: 300, requests: 3, screenshots: 3, recordingBytes: 2 * part.length, notes: [] },
    });
    expect(await verifyManifest(store, ATTEMPT_PREFIX)).toMatchObject({ ok: true, problems: [] });
    await session.end();
  }, 30_000);
});
