import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gatherContext } from './context.ts';

const spec = { name: 'replay', folder: 'harness-replay', base: 'node', programs: ['replay'] } as const;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'context-'));
  mkdirSync(join(root, 'images/harness-replay'), { recursive: true });
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'images/harness-replay/Dockerfile'), 'FROM x');
  writeFileSync(join(root, 'images/harness-replay/plan.ts'), 'source');
  writeFileSync(join(root, 'dist/replay.js'), 'one');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

it('contains the Dockerfile and the bundle, but no source', async () => {
  const { dir } = await gatherContext(root, spec, 'base');
  expect(readdirSync(dir).toSorted()).toEqual(['Dockerfile', 'replay.js']);
});

it('has a hash that changes only with a program or the base image', async () => {
  const hash = async (base = 'base'): Promise<string> => (await gatherContext(root, spec, base)).hash;
  const first = await hash();
  writeFileSync(join(root, 'images/harness-replay/plan.ts'), 'other source');
  expect(await hash()).toBe(first);
  expect(await hash('other base')).not.toBe(first);
  writeFileSync(join(root, 'dist/replay.js'), 'two');
  expect(await hash()).not.toBe(first);
});
