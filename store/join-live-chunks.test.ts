import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDirectoryStore } from './directory.ts';
import { joinLiveChunks } from './join-live-chunks.ts';

it('joins chunks in order, marks the evidence as incomplete, and can be called again', async () => {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'join-')));
  await store.put('r/a1/live/actions.jsonl/00000001', 'two\n');
  await store.put('r/a1/live/actions.jsonl/00000000', 'one\n');
  await store.put('r/a1/data/screenshots/5.png', 'png');
  expect(await joinLiveChunks(store, 'r/a1/')).toEqual(['actions.jsonl']);
  expect(await joinLiveChunks(store, 'r/a1/')).toEqual([]);
  expect(Buffer.from((await store.get('r/a1/data/actions.jsonl')) ?? []).toString()).toBe('one\ntwo\n');
  const manifest = JSON.parse(Buffer.from((await store.get('r/a1/manifest.json')) ?? []).toString());
  expect(manifest).toMatchObject({ complete: false });
  expect((manifest.files as { path: string }[]).map((file) => file.path)).toEqual([
    'data/actions.jsonl',
    'data/screenshots/5.png',
  ]);
});
