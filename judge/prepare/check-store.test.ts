import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDirectoryStore } from '../../store/directory.ts';
import type { JobConfig } from '../job/job-config.ts';
import { checkPrefixIsFree } from './check-store.ts';

const job = { batch: 'b', batchUID: 'mine' } as JobConfig;
const PREFIX = 'm/batch-b--h--m/';

async function check(objects: Readonly<Record<string, string>>): Promise<void> {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'prefix-')));
  for (const [key, body] of Object.entries(objects)) await store.put(PREFIX + key, body);
  await checkPrefixIsFree(job, store, [PREFIX]);
}

it('takes an empty prefix, one with summaries only, and one of its own claims', async () => {
  await check({});
  await check({ 'summary.json': '{}' });
  await check({ 'm/r/claim.json': '{"batchUID":"mine"}' });
});

it.each([
  ['a claim of another batch', { 'm/r/claim.json': '{"batchUID":"other"}' }],
  ['a claim that cannot be read', { 'm/r/claim.json': 'x' }],
  ['an attempt that never got a claim', { 'm/r/a1/manifest.json': '{}' }],
])('refuses %s', async (_, objects) => {
  await expect(check(objects)).rejects.toMatchObject({ reason: 'PrefixInUse' });
});
