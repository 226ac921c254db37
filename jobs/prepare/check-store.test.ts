import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDirectoryStore } from '../../store/directory.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { checkPrefixIsFree } from './check-store.ts';

const job = { batch: 'b', batchUID: 'mine' } as JobConfig;
const PREFIX = 'm/batch-b--h--m/';

const newStore = (): ReturnType<typeof openDirectoryStore> =>
  openDirectoryStore(mkdtempSync(join(tmpdir(), 'prefix-')));

async function check(objects: Readonly<Record<string, string>>): Promise<void> {
  const store = newStore();
  for (const [key, body] of Object.entries(objects)) await store.put(PREFIX + key, body);
  await checkPrefixIsFree(job, store, [PREFIX]);
}

it('accepts an empty prefix, one with summaries only, and one with its own claims', async () => {
  await check({});
  await check({ 'summary.json': '{}' });
  await check({ 'm/r/claim.json': '{"batchUID":"mine"}' });
});

it.each([
  ['a claim of another batch', { 'm/r/claim.json': '{"batchUID":"other"}' }],
  ['a claim that cannot be read', { 'm/r/claim.json': 'x' }],
  ['an attempt that never got a claim', { 'm/r/a1-5f3c2b1a/manifest.json': '{}' }],
  ['an attempt of an earlier version', { 'm/r/a1/manifest.json': '{}' }],
  [
    'a claim of another batch beside one of its own',
    { 'm/r/claim.json': '{"batchUID":"mine"}', 'm/s/claim.json': 'x' },
  ],
])('refuses %s', async (_, objects) => {
  await expect(check(objects)).rejects.toMatchObject({ reason: 'PrefixInUse' });
});

it('accepts a name once: refuses one with the owner.json of another batch, whatever its models, and accepts its own again', async () => {
  const store = newStore();
  await checkPrefixIsFree(job, store, [PREFIX]);
  await store.put(`${PREFIX}m/r/a1-5f3c2b1a/live/actions.jsonl/00000000`, '{}');
  await checkPrefixIsFree(job, store, [PREFIX]);
  const other = checkPrefixIsFree({ ...job, batchUID: 'other' }, store, ['n/batch-b--h--n/']);
  await expect(other).rejects.toMatchObject({ reason: 'PrefixInUse', message: expect.stringContaining('_batches/b/') });
});

it('gives the name to one of two batches that ask at the same time', async () => {
  const store = newStore();
  const asked = ['one', 'two', 'three'].map((batchUID) => checkPrefixIsFree({ ...job, batchUID }, store, [PREFIX]));
  const results = await Promise.allSettled(asked);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
