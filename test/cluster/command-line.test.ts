import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { countOf, readArguments, UsageError } from './command-line.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** What package.json runs by `node FILE` of ours. */
const files = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /^node (\S+\.ts)$/.exec(command)?.[1];
  return file === undefined ? [] : [[name, file] as const];
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function call(file: string, ...args: string[]): Promise<Ended> {
  const started = promisify(execFile)(process.execPath, [join(ROOT, file), ...args], { cwd: ROOT, timeout: 60_000 });
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Ended,
  );
}

describe('every script of package.json', () => {
  it('is found here', () => {
    expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(['demo', 'cluster', 'bench', 'images', 'test']));
  });

  it.each(files)('%s refuses an option that it does not know: one sentence, exit 2, no stack', async (_name, file) => {
    const { code, stdout, stderr } = await call(file, '--no-such-option');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('no-such-option');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each(files)('%s explains itself', async (name, file) => {
    const { code, stdout } = await call(file, '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`npm ${name === 'test' ? '' : 'run '}${name}`)]);
  });
});

it('leaves out what Node says about hyphens', () => {
  const read = (): unknown => readArguments('usage: x', { options: { a: { type: 'string' } } }, ['--b']);
  expect(read).toThrow(/^Unknown option '--b'\.?\nusage: x$/);
});

it('counts in digits', () => {
  expect(countOf('--n', '12')).toBe(12);
  for (const text of ['0', '', '-1', '1.5', '1e3', ' 1']) expect(() => countOf('--n', text), text).toThrow(UsageError);
});
