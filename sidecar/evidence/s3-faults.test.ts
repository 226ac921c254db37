import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type S3Fault, type FaultyS3, startFaultyS3 } from '../../store/faulty-s3.fixture.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { openStore } from '../../store/open.ts';
import { verifyManifest } from '../../store/verify-manifest.ts';
import { findVersitygw, type S3Server, startS3Server } from '../../store/versitygw.fixture.ts';
import { aRequest, openEvidenceSession, ATTEMPT_PREFIX, type EvidenceSession } from './evidence.fixture.ts';

const binary = findVersitygw();
if (binary === null) console.warn('s3-faults.test.ts: no versitygw on this machine: skipped');

const FAULTS: readonly S3Fault[] = ['reset', 'lose-answer', 'cut-body', 'busy'];

/** Park and Miller: the same faults in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

describe.skipIf(binary === null)('before a store that fails', () => {
  let server: S3Server;
  let proxy: FaultyS3;
  let store: ObjectStore;
  let direct: ObjectStore;
  let session: EvidenceSession;
  beforeAll(async () => {
    server = await startS3Server(binary as string);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    proxy = await startFaultyS3(server.location.endpoint ?? '');
    const s3 = { ...server.location, prefix: `run-${String(Math.random()).slice(2)}` };
    const through = { ...s3, endpoint: proxy.endpoint };
    store = await openStore({ kind: 's3', s3: through }, { env: server.env, retrySeconds: 0 });
    direct = await openStore({ kind: 's3', s3 }, { env: server.env, retrySeconds: 0 });
    session = await openEvidenceSession({ store, intervalMs: 200 });
  });
  afterEach(async () => {
    proxy.inject(() => null);
    await session.end();
    await proxy.close();
  });

  async function unfinishedUploads(): Promise<number> {
    const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = server.env;
    const client = new S3Client({
      endpoint: server.location.endpoint ?? '',
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: server.location.bucket }));
    return Uploads?.length ?? 0;
  }

  test('with a fifth of all calls failing in any way, the bundle is complete', async () => {
    const random = randomFrom(7);
    proxy.inject(() => (random() < 0.2 ? (FAULTS[Math.floor(random() * FAULTS.length)] ?? null) : null));
    await writeFile(join(session.dirs.recording, 'recording.mp4'), Buffer.alloc(12 * 1024 * 1024, 'fragment'));
    for (let n = 0; n < 200; n++) session.evidence.action({ type: 'click', n });
    for (let n = 0; n < 15; n++) session.evidence.screenshot(1_700_000_000_000 + n, new Uint8Array(30_000));
    session.evidence.request(aRequest());
    await sleep(800);
    const result = await session.finalise(AbortSignal.timeout(50_000));
    expect(result).toMatchObject({ evidence: 'Complete', facts: { actions: 200, screenshots: 15 } });
    expect(await verifyManifest(direct, ATTEMPT_PREFIX)).toMatchObject({ ok: true, problems: [] });
    expect(await unfinishedUploads()).toBe(0);
  }, 60_000);

  test('one lost part is sent again, not the whole file', async () => {
    let failures = 3;
    proxy.inject(({ path }) => (path.includes('partNumber=4') && failures-- > 0 ? 'reset' : null));
    await writeFile(join(session.dirs.recording, 'recording.mp4'), Buffer.alloc(23 * 1024 * 1024, 'fragment'));
    expect(await session.finalise(AbortSignal.timeout(30_000))).toMatchObject({ evidence: 'Complete' });
    const parts = proxy.calls.filter(({ path }) => path.includes('partNumber='));
    expect(parts).toHaveLength(5 + 3);
  }, 40_000);

  test('a store that never answers is given up at the deadline; the next call completes the bundle', async () => {
    proxy.inject(() => 'stall');
    session.evidence.action({ type: 'click' });
    await writeFile(join(session.dirs.recording, 'recording.mp4'), Buffer.alloc(6 * 1024 * 1024, 'fragment'));
    const from = Date.now();
    const first = await session.finalise(AbortSignal.timeout(1_500));
    expect(first).toMatchObject({ evidence: 'None', manifestSha256: null });
    expect(Date.now() - from).toBeLessThan(5_000);
    proxy.inject(() => null);
    expect(await session.finalise(AbortSignal.timeout(20_000))).toMatchObject({ evidence: 'Complete' });
    expect(await verifyManifest(direct, ATTEMPT_PREFIX)).toMatchObject({ ok: true });
  }, 40_000);

  test('a recording of 160 MB is never read into memory at once', async () => {
    const path = join(session.dirs.recording, 'recording.mp4');
    await (await open(path, 'w')).close();
    await truncate(path, 160 * 1024 * 1024);
    let most = 0;
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
    const result = await session.finalise(AbortSignal.timeout(100_000));
    clearInterval(watch);
    expect(result).toMatchObject({ evidence: 'Complete', facts: { recordingBytes: 160 * 1024 * 1024 } });
    // The proxy of this test lives in the same process.
    expect((most - before) / 1024 / 1024).toBeLessThan(120);
  }, 120_000);
});
