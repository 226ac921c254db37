import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memoryStore, type MemoryStore } from './memory.fixture.ts';
import { verifyManifest } from './verify-manifest.ts';

const PREFIX = 'm/run/a1/';

async function bundle(files: Record<string, string>): Promise<MemoryStore> {
  const store = memoryStore();
  for (const [path, body] of Object.entries(files)) await store.put(PREFIX + path, body);
  const list = Object.entries(files).map(([path, body]) => ({
    path,
    size: Buffer.byteLength(body),
    sha256: createHash('sha256').update(body).digest('hex'),
  }));
  const manifest = { schema: 1, complete: true, created: '2026-01-01T00:00:00Z', files: list, notes: [] };
  await store.put(`${PREFIX}manifest.json`, JSON.stringify(manifest));
  return store;
}

describe('verifying a manifest', () => {
  test('accepts a complete bundle', async () => {
    const store = await bundle({ 'data/actions.jsonl': '{}\n', 'data/logs/a.log': '' });
    const report = await verifyManifest(store, PREFIX);
    expect(report).toMatchObject({ ok: true, problems: [], files: 2, bytes: 3 });
    expect(report.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['a missing file', (s: MemoryStore) => s.delete([`${PREFIX}data/a`]), 'data/a is missing.'],
    ['another size', (s: MemoryStore) => s.put(`${PREFIX}data/a`, 'longer'), 'data/a has 6 bytes instead of 1.'],
    [
      'changed bytes',
      (s: MemoryStore) => s.put(`${PREFIX}data/a`, 'y'),
      'data/a has a different SHA-256 than in the manifest.',
    ],
    ['a stray file', (s: MemoryStore) => s.put(`${PREFIX}data/b`, 'b'), 'data/b is not in the manifest.'],
    [
      'a live chunk',
      (s: MemoryStore) => s.put(`${PREFIX}live/a/1`, 'b'),
      'live/a/1 is a live chunk that was not deleted.',
    ],
  ])('%s is a problem', async (_name, damage, problem) => {
    const store = await bundle({ 'data/a': 'x' });
    await damage(store);
    expect(await verifyManifest(store, PREFIX)).toMatchObject({ ok: false, problems: [problem] });
  });

  test('a missing or invalid manifest means incomplete evidence', async () => {
    const store = memoryStore();
    expect((await verifyManifest(store, PREFIX)).problems[0]).toContain('is missing');
    await store.put(`${PREFIX}manifest.json`, '{"schema":2}');
    expect((await verifyManifest(store, PREFIX)).problems[0]).toContain('is invalid');
  });
});
