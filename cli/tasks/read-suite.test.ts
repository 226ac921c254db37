import { strToU8, zipSync } from 'fflate';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSuiteFolder } from './read-folder.ts';
import { suiteFromWheel } from './read-wheel.ts';
import { importSuite } from './upstream-suite.ts';

function tree(): { base: string; suite: string } {
  const base = mkdtempSync(join(tmpdir(), 'suite-'));
  const suite = join(base, 'lite');
  mkdirSync(join(base, 'full/001-a'), { recursive: true });
  mkdirSync(join(suite, '001-a'), { recursive: true });
  writeFileSync(join(base, 'full/001-a/task.json'), '{"instruction":"x"}');
  return { base, suite };
}

it('follows links into the neighbouring suite, as v1-lite is made', async () => {
  const { base, suite } = tree();
  symlinkSync(join(base, 'full/001-a/task.json'), join(suite, '001-a/task.json'));
  const files = await readSuiteFolder(suite);
  expect(files.map((file) => file.path)).toEqual(['001-a/task.json']);
  expect(Buffer.from(files[0]?.bytes ?? []).toString()).toContain('instruction');
});

it.each([
  ['/etc/hostname', /leaves/],
  ['/nonexistent', /does not exist/],
])('refuses a link to %s', async (target, message) => {
  const { suite } = tree();
  symlinkSync(target, join(suite, '001-a/task.json'));
  await expect(readSuiteFolder(suite)).rejects.toThrow(message);
});

it('ends at a loop of links', async () => {
  const { suite } = tree();
  symlinkSync(suite, join(suite, '001-a/again'));
  await expect(readSuiteFolder(suite)).rejects.toThrow(/leads back|too deeply/);
});

it("takes upstream's suite from a checkout, its test-cases or the folder itself", async () => {
  const { base } = tree();
  mkdirSync(join(base, 'checkout/test-cases/v1/001-a'), { recursive: true });
  writeFileSync(join(base, 'checkout/test-cases/v1/001-a/task.json'), '{}');
  for (const from of ['checkout', 'checkout/test-cases', 'checkout/test-cases/v1'])
    expect((await importSuite('v1', join(base, from))).map((file) => file.path)).toEqual(['001-a/task.json']);
  await expect(importSuite('v9')).rejects.toThrow(/v1, v2, v1-lite, claw-eval/);
  await expect(importSuite('v1', join(base, 'gone'))).rejects.toThrow(/does not exist/);
});

it('takes one suite out of a wheel and nothing else', () => {
  const wheel = zipSync({
    'pkg/_bundled/test-cases/claw-eval/ce-1.json': strToU8('{}'),
    'pkg/_bundled/test-cases/v1/001-a/task.json': strToU8('{}'),
    'pkg/secrets.env': strToU8('KEY=1'),
  });
  expect(suiteFromWheel(wheel, 'claw-eval').map((file) => file.path)).toEqual(['ce-1.json']);
  expect(() => suiteFromWheel(wheel, 'v2')).toThrow(/no suite v2/);
  expect(() => suiteFromWheel(strToU8('no zip'), 'v1')).toThrow(/not a wheel/);
});
