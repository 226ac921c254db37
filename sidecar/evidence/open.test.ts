import { appendFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyManifest } from '../../store/verify-manifest.ts';
import {
  aRequest,
  openEvidenceSession,
  joinedLiveChunks,
  storedText,
  ATTEMPT_PREFIX,
  type EvidenceSession,
} from './evidence.fixture.ts';
import { eventually } from '../eventually.fixture.ts';

const open: EvidenceSession[] = [];
const session = async (...change: Parameters<typeof openEvidenceSession>): Promise<EvidenceSession> => {
  const made = await openEvidenceSession(...change);
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const made of open.splice(0)) await made.end();
});
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
const NOW = 1_700_000_000_000;

describe('during the run', () => {
  test('rows are in the store within the interval, in chunks of whole lines', async () => {
    const { evidence, store } = await session();
    evidence.action({ type: 'click', n: 1 });
    await eventually(() => joinedLiveChunks(store, 'actions.jsonl') === '{"type":"click","n":1}\n');
    evidence.action({ type: 'click', n: 2 });
    evidence.request(aRequest());
    await eventually(
      () =>
        joinedLiveChunks(store, 'requests.jsonl') !== '' && joinedLiveChunks(store, 'actions.jsonl').includes('"n":2'),
    );
    expect(joinedLiveChunks(store, 'actions.jsonl')).toBe('{"type":"click","n":1}\n{"type":"click","n":2}\n');
    expect(JSON.parse(joinedLiveChunks(store, 'requests.jsonl'))).toMatchObject({
      timestamp: 1_700_000_000.123,
      body: { qty: 2 },
      query_params: { item: '1' },
    });
    expect(evidence.counts).toMatchObject({ actions: 2, requests: 1, screenshots: 0 });
  });

  test('the growing video and the transcript of the harness are uploaded too', async () => {
    const { store, dirs } = await session();
    const video = join(dirs.recording, 'recording.mp4');
    await writeFile(video, 'fragment1');
    await writeFile(join(dirs.harnessData, 'agent-messages.jsonl'), '{"a":1}\n{"half":');
    await eventually(
      () =>
        joinedLiveChunks(store, 'recording.mp4') === 'fragment1' &&
        joinedLiveChunks(store, 'agent-messages.jsonl') === '{"a":1}\n',
    );
    await appendFile(video, 'fragment2');
    await eventually(() => joinedLiveChunks(store, 'recording.mp4') === 'fragment1fragment2');
  });

  test('a transcript that the harness rewrites replaces its chunks', async () => {
    const { store, dirs } = await session();
    const path = join(dirs.harnessData, 'agent-messages.jsonl');
    await writeFile(path, '{"old":"a long first version"}\n');
    await eventually(() => joinedLiveChunks(store, 'agent-messages.jsonl') !== '');
    await writeFile(path, '{"new":1}\n');
    await eventually(() => joinedLiveChunks(store, 'agent-messages.jsonl') === '{"new":1}\n');
  });

  test('screenshots and the interception are whole objects under their final keys', async () => {
    const { evidence, store } = await session({ intervalMs: 60_000 });
    evidence.screenshot(NOW, PNG);
    expect(evidence.interception({ intercepted: true, request: {} })).toBe(true);
    await eventually(() => storedText(store, 'data/interception.json') !== null);
    expect(evidence.interception({ intercepted: false })).toBe(false);
    expect(JSON.parse(storedText(store, 'data/interception.json') ?? '')).toEqual({ intercepted: true, request: {} });
    await evidence.flush(AbortSignal.timeout(1000));
    expect(store.objects.get(`${ATTEMPT_PREFIX}data/screenshots/${NOW}.png`)).toEqual(PNG);
  });

  test('two screenshots of one millisecond are both kept, and one with an impossible timestamp is not', async () => {
    const { evidence } = await session();
    evidence.screenshot(NOW, PNG);
    evidence.screenshot(NOW, PNG);
    for (const bad of [1.5, -1, Number.NaN, 0, '../../x' as unknown as number]) evidence.screenshot(bad, PNG);
    const { facts } = await (open.at(-1) as EvidenceSession).finalise();
    expect(facts.screenshots).toBe(2);
    expect(facts.notes).toEqual(['screenshots: one with an impossible timestamp was not kept.']);
  });

  test('an outage loses nothing: the backlog is uploaded when the store is back', async () => {
    let retries = 0;
    const { evidence, store } = await session({ onUploadRetry: () => void (retries += 1) });
    store.down();
    for (let n = 0; n < 50; n++) evidence.action({ n });
    evidence.screenshot(NOW, PNG);
    await eventually(() => retries > 2);
    expect(store.objects.size).toBe(0);
    store.up();
    await eventually(() => joinedLiveChunks(store, 'actions.jsonl').split('\n').length === 51);
    await eventually(() => storedText(store, `data/screenshots/${NOW}.png`) !== null);
  });

  test('flush ends with its signal even when the store hangs', async () => {
    const { evidence, store } = await session({ intervalMs: 60_000 });
    Object.assign(store, { put: () => new Promise(() => undefined) });
    evidence.action({ n: 1 });
    const started = Date.now();
    await evidence.flush(AbortSignal.timeout(100));
    expect(Date.now() - started).toBeLessThan(1000);
  });
});

describe('secrets', () => {
  const SECRET = 'k3y+with/ünusual"chars';

  test('planted secrets are in no object, in no spelling', async () => {
    const { evidence, store, dirs, finalise } = await session({ secrets: ['first-secret-value'] });
    evidence.addSecret(SECRET);
    const basic = Buffer.from(`user:${SECRET}`).toString('base64');
    evidence.action({ type: 'input', value: SECRET });
    evidence.request(
      aRequest({
        url: `https://x.test/?k=${encodeURIComponent(SECRET)}`,
        headers: { Authorization: 'Bearer abc.def.ghi', Cookie: 'sid=cookie-value-1', 'X-Api-Key': 'header-key-9' },
        body: Buffer.from(JSON.stringify({ key: SECRET, basic })),
      }),
    );
    evidence.interception({ intercepted: true, request: { body: { a: SECRET, b: 'first-secret-value' } } });
    await writeFile(
      join(dirs.harnessData, 'agent-messages.jsonl'),
      `${JSON.stringify({ env: SECRET, basic })}\nfirst-secret-value no json\n`,
    );
    await writeFile(join(dirs.harnessData, 'agent.log'), `key ${SECRET}\n`);
    await evidence.flush(AbortSignal.timeout(1000));
    const everything = [...store.objects.values()];
    expect((await finalise()).evidence).toBe('Complete');
    everything.push(...store.objects.values());
    const all = everything.map((bytes) => Buffer.from(bytes).toString()).join('\n');
    for (const spelling of [
      SECRET,
      JSON.stringify(SECRET).slice(1, -1),
      encodeURIComponent(SECRET),
      basic.slice(8),
      'first-secret-value',
      'abc.def.ghi',
      'cookie-value-1',
      'header-key-9',
    ])
      expect(all).not.toContain(spelling);
    expect(all).toContain('[REDACTED]');
  });

  test('a link in the harness folder is not followed', async () => {
    const { dirs, finalise, store } = await session();
    await symlink('/etc/hostname', join(dirs.harnessData, 'agent-messages.jsonl'));
    await symlink('/etc/hostname', join(dirs.harnessData, 'x.log'));
    const { facts } = await finalise();
    expect(facts.messages).toBe(0);
    expect(storedText(store, 'data/agent-messages.jsonl')).toBeNull();
    expect(storedText(store, 'data/logs/x.log')).toBeNull();
  });
});

describe('finalise', () => {
  test('whole files, the manifest, no live chunks, attempt-meta; an independent reader agrees', async () => {
    const { evidence, store, dirs, finalise } = await session();
    evidence.action({ type: 'click' });
    evidence.request(aRequest());
    evidence.screenshot(NOW, PNG);
    evidence.interception({ intercepted: false, request: null });
    await writeFile(join(dirs.recording, 'recording.mp4'), 'video');
    await writeFile(join(dirs.recording, 'ffmpeg.log'), 'frame=1\n');
    await writeFile(join(dirs.harnessData, 'agent.log'), 'http 402 from the provider\n');
    const message = {
      type: 'x',
      message: { role: 'assistant', api: 'a', provider: 'p', model: 'm', responseId: 'r1' },
    };
    await writeFile(join(dirs.harnessData, 'agent-messages.jsonl'), `${JSON.stringify(message)}\n\nbroken\n`);
    await writeFile(
      join(dirs.harnessData, 'usage.jsonl'),
      '{"type":"usage","call_id":"c","input_tokens":10,"output_tokens":5,"total_tokens":15}\n',
    );
    await eventually(() => joinedLiveChunks(store, 'actions.jsonl') !== '');
    const result = await finalise();
    expect(result).toMatchObject({
      evidence: 'Complete',
      facts: {
        actions: 1,
        requests: 1,
        messages: 2,
        screenshots: 1,
        recordingBytes: 5,
        apiCalls: 1,
        missingFiles: [],
        apiOrCreditEvidence: 'agent.log: http 402 from the provider',
        notes: [],
      },
    });
    expect(result.facts.usage).toMatchObject({ total_tokens: 15, api_calls: 1 });
    const report = await verifyManifest(store, ATTEMPT_PREFIX);
    expect(report).toMatchObject({ ok: true, sha256: result.manifestSha256 });
    expect([...store.objects.keys()].map((key) => key.slice(ATTEMPT_PREFIX.length)).sort()).toEqual([
      'attempt-meta.json',
      'data/actions.jsonl',
      'data/agent-messages.jsonl',
      'data/interception.json',
      'data/logs/agent.log',
      'data/logs/browser-ffmpeg.log',
      'data/recording.mp4',
      'data/requests.jsonl',
      `data/screenshots/${NOW}.png`,
      'data/usage.jsonl',
      'manifest.json',
    ]);
    expect(JSON.parse(storedText(store, 'manifest.json') ?? '')).toMatchObject({
      schema: 1,
      browserVersion: 'Chromium/1',
    });
    expect(JSON.parse(storedText(store, 'attempt-meta.json') ?? '')).toEqual({ intercepted: false, actions: 1 });
  });

  test('after a failure in the middle a second call continues', async () => {
    const { evidence, store, finalise } = await session({ intervalMs: 60_000 });
    store.down();
    evidence.action({ type: 'click' });
    const failed = await finalise(AbortSignal.timeout(100));
    expect(failed).toMatchObject({ evidence: 'None', manifestSha256: null });
    expect(failed.problem).toContain('the store is unavailable');
    store.up();
    expect((await finalise()).evidence).toBe('Complete');
    expect((await finalise()).evidence).toBe('Complete');
    expect((await verifyManifest(store, ATTEMPT_PREFIX)).ok).toBe(true);
  });

  test('finalise survives an outage', async () => {
    const { evidence, store, finalise } = await session();
    evidence.action({ type: 'click' });
    store.down();
    setTimeout(() => {
      store.up();
    }, 700);
    expect((await finalise()).evidence).toBe('Complete');
  });

  test('another attempt that wrote the same keys is never overwritten', async () => {
    const { store, finalise } = await session();
    await store.put(`${ATTEMPT_PREFIX}manifest.json`, 'theirs');
    const result = await finalise();
    expect(result.evidence).not.toBe('Complete');
    expect(storedText(store, 'manifest.json')).toBe('theirs');
  });

  test('missing layers are named', async () => {
    const { facts } = await (await session()).finalise();
    expect(facts.missingFiles).toEqual(['data/agent-messages.jsonl', 'data/interception.json', 'data/recording.mp4']);
    const other = await session({ recordingRequired: false });
    expect((await other.finalise()).facts.missingFiles).toEqual([
      'data/agent-messages.jsonl',
      'data/interception.json',
    ]);
  });

  test('caps hold, and one note says so', async () => {
    const { evidence, dirs, store, finalise } = await session({
      caps: { actions: 100, messages: 30, log: 200, recording: 4, screenshots: 5 },
    });
    for (let n = 0; n < 40; n++) evidence.action({ type: 'click', n });
    evidence.screenshot(NOW, PNG);
    evidence.screenshot(NOW, PNG);
    await writeFile(join(dirs.harnessData, 'agent-messages.jsonl'), '{"n":1}\n'.repeat(10));
    await writeFile(join(dirs.harnessData, 'a.log'), `begin\n${'filler\n'.repeat(100)}end\n`);
    await writeFile(join(dirs.recording, 'recording.mp4'), 'longer');
    const { facts } = await finalise();
    expect(facts.actions).toBe(4);
    expect(facts.messages).toBe(3);
    expect(storedText(store, 'data/recording.mp4')).toBe('long');
    expect(storedText(store, 'data/logs/a.log')).toMatch(/^begin\n[^]*bytes left out[^]*end\n$/);
    expect(facts.notes.map((note) => note.split(':')[0])).toEqual([
      'screenshots',
      'actions.jsonl',
      'agent-messages.jsonl',
      'recording.mp4',
    ]);
  });
});
