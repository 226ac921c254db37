import { strToU8, zipSync } from 'fflate';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTaskArchive } from '../local/read-task.ts';
import { lintPaths } from './lint.ts';
import { readSuiteFolder, SuiteFolderError } from './read-folder.ts';
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

/** `from` below the suite folder (or the name of a path) becomes a link to `to`; folders are made as needed. */
function link(folder: string, from: string, to: string): void {
  mkdirSync(join(folder, from, '..'), { recursive: true });
  symlinkSync(to, join(folder, from));
}

function file(folder: string, name: string, text = '{"instruction":"x"}'): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const TASK = '{"instruction":"x","eval_schema":{"url_pattern":"^x","method":"POST"},"time_limit":1}';
const paths = async (folder: string): Promise<string[]> => (await readSuiteFolder(folder)).map(({ path }) => path);

describe('links that stay in the suite are followed', () => {
  it.each([
    ['a file', 'same/task.json', '../001-a/task.json', 'same/task.json'],
    ['a task directory', 'same', '001-a', 'same/task.json'],
    ['an absolute path', 'same', '@/001-a', 'same/task.json'],
    ['a shared folder', '001-a/extra_info', '../shared', '001-a/extra_info/notes.txt'],
    ['a chain', 'first', 'second', 'first/task.json'],
    ['a chain that goes out and comes back', '001-a/round', '../../detour/notes.txt', '001-a/round'],
  ])('%s', async (_, from, to, expected) => {
    const { base, suite } = tree();
    file(suite, '001-a/task.json');
    file(suite, 'shared/notes.txt');
    link(suite, 'second', '001-a');
    link(base, 'detour', join(suite, 'shared'));
    link(suite, from, to.replace('@', suite));
    expect(await paths(suite)).toContain(expected);
  });

  it('as in v1-lite, to the same file of the same case in a sibling suite, for a whole suite and a single case', async () => {
    const { base, suite } = tree();
    file(base, 'full/001-a/extra_info/notes.txt');
    file(base, 'full/001-a/task.json', TASK);
    link(suite, '001-a/task.json', '../../full/001-a/task.json');
    link(suite, '001-a/extra_info/notes.txt', join(base, 'full/001-a/extra_info/notes.txt'));
    expect(await paths(suite)).toEqual(['001-a/extra_info/notes.txt', '001-a/task.json']);
    expect(await paths(join(suite, '001-a'))).toEqual(['extra_info/notes.txt', 'task.json']);
    expect(await paths(join(suite, '001-a/task.json'))).toEqual(['task.json']);
    expect((await readTaskArchive(join(suite, '001-a'))).caseName).toBe('001-a');
  });

  it('the path itself, and a single case that shares a file with a sibling case', async () => {
    const { base, suite } = tree();
    file(suite, '001-a/task.json');
    file(suite, '002-b/task.json');
    link(suite, '002-b/shared.json', '../001-a/task.json');
    link(base, 'latest', 'lite');
    expect(await paths(join(suite, '002-b'))).toEqual(['shared.json', 'task.json']);
    expect(await paths(join(base, 'latest'))).toHaveLength(3);
  });
});

describe('a link to the outside of the suite is refused with its path', () => {
  const LEAVES = /is a symbolic link to a target outside/;
  it.each([
    ['a file beside the suite', '001-a/notes.txt', '../../private.json', LEAVES],
    ['a file in a folder beside the suite', '001-a/notes.txt', '../../secrets/notes.txt', LEAVES],
    ['a task file beside the suite', 'flat.json', '../private.json', LEAVES],
    ['the same name in a folder that is no suite', '001-a/notes.txt', '../../other/001-a/notes.txt', LEAVES],
    ['another case of a suite beside it', '001-a/notes.txt', '../../full/002-b/notes.txt', LEAVES],
    ['another file of that case', '001-a/notes.txt', '../../full/001-a/task.json', LEAVES],
    ['an absolute path', '001-a/notes.txt', '/etc/hostname', LEAVES],
    ['a folder', '001-a/all', '/etc', LEAVES],
    ['a chain', '001-a/notes.txt', '../hop', LEAVES],
    ['a folder beside the suite', 'all', '../secrets', LEAVES],
    ['a case that lies elsewhere', '002-b', '../secrets', LEAVES],
    ['the parent', '001-a/up', '../..', LEAVES],
    ['the root', '001-a/up', '/', LEAVES],
    ['a hidden file of the suite', '001-a/notes.txt', '../.git/config', /is a symbolic link to a hidden file/],
    ['nothing', '001-a/notes.txt', '/nonexistent', /does not exist/],
    ['itself', '001-a/again', 'again', /is a symbolic link to itself or to one of its parent folders/],
    ['the suite', '001-a/again', '..', /is a symbolic link to itself or to one of its parent folders/],
    ['its own case', '001-a/again', '.', /is a symbolic link to itself or to one of its parent folders/],
    [
      'two that lead to each other',
      '001-a/hop',
      '../001-b/hop',
      /is a symbolic link to itself or to one of its parent folders/,
    ],
  ])('%s', async (_, from, to, message) => {
    const { base, suite } = tree();
    file(suite, '001-a/task.json');
    file(suite, '.git/config');
    file(base, 'private.json');
    file(base, 'secrets/notes.txt');
    file(base, 'other/001-a/notes.txt');
    file(base, 'full/002-b/task.json');
    file(base, 'full/002-b/notes.txt');
    if (to === '../hop') link(suite, 'hop', join(base, 'private.json'));
    if (to.endsWith('/hop')) link(suite, '001-b/hop', '../001-a/hop');
    link(suite, from, to);
    const refusal = await readSuiteFolder(suite).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SuiteFolderError);
    expect(String(refusal)).toMatch(message);
    expect((refusal as SuiteFolderError).path).toBe(join(suite, from));
  });

  it('also from a single case or file', async () => {
    const { base } = tree();
    file(base, 'mine/task.json');
    file(base, 'private.json');
    file(base, 'secrets/notes.txt');
    link(base, 'mine/notes.txt', '../secrets/notes.txt');
    link(base, 'sub/flat.json', '../private.json');
    await expect(readSuiteFolder(join(base, 'mine'))).rejects.toThrow(LEAVES);
    await expect(readTaskArchive(join(base, 'mine'))).rejects.toThrow(LEAVES);
    await expect(readSuiteFolder(join(base, 'sub/flat.json'))).rejects.toThrow(LEAVES);
    await expect(readTaskArchive(join(base, 'sub/flat.json'))).rejects.toThrow(LEAVES);
  });

  it('stops at folders that double at each level without a cycle', async () => {
    const { suite } = tree();
    for (let depth = 0; depth < 20; depth++) {
      for (const name of ['a', 'b']) link(suite, `d${String(depth)}/${name}`, `../d${String(depth + 1)}`);
    }
    mkdirSync(join(suite, 'd20'));
    const { errors } = await lintPaths([suite]);
    expect(errors.map(({ message }) => message)).toEqual(['has more than 20000 files and folders']);
  });
});

it.runIf(process.getuid?.() === 0)('a task folder in / is like any other', async () => {
  const folder = mkdtempSync('/clawbench-test-');
  try {
    file(folder, 'task.json', TASK);
    link(folder, 'notes.txt', 'task.json');
    expect(await paths(folder)).toEqual(['notes.txt', 'task.json']);
    link(folder, 'host.txt', '/etc/hostname');
    const { errors } = await lintPaths([folder]);
    expect(errors.map(({ path, message }) => `${path} ${message}`).join()).toMatch(
      /^\/clawbench-test-\w+\/host.txt is a symbolic link to a target outside [^/]*\/clawbench-test-\w+;/,
    );
    rmSync(join(folder, 'host.txt'));
    expect((await readTaskArchive(folder)).caseName).toBe(folder.slice(1));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("reads upstream's suite from a clone, its test-cases or the suite folder", async () => {
  const { base } = tree();
  mkdirSync(join(base, 'checkout/test-cases/v1/001-a'), { recursive: true });
  writeFileSync(join(base, 'checkout/test-cases/v1/001-a/task.json'), '{}');
  for (const from of ['checkout', 'checkout/test-cases', 'checkout/test-cases/v1'])
    expect((await importSuite('v1', join(base, from))).map((file) => file.path)).toEqual(['001-a/task.json']);
  await expect(importSuite('v9')).rejects.toThrow(/v1, v2, v1-lite, claw-eval/);
  await expect(importSuite('v1', join(base, 'gone'))).rejects.toThrow(/does not exist/);
});

it('reads only the given suite from a wheel', () => {
  const wheel = zipSync({
    'pkg/_bundled/test-cases/claw-eval/ce-1.json': strToU8('{}'),
    'pkg/_bundled/test-cases/v1/001-a/task.json': strToU8('{}'),
    'pkg/secrets.env': strToU8('KEY=1'),
  });
  expect(suiteFromWheel(wheel, 'claw-eval').map((file) => file.path)).toEqual(['ce-1.json']);
  expect(() => suiteFromWheel(wheel, 'v2')).toThrow(/does not contain the suite v2/);
  expect(() => suiteFromWheel(strToU8('no zip'), 'v1')).toThrow(/not a wheel/);
});
