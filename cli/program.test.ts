import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCompareCommand } from './compare/command.ts';
import { timeLimit } from './local/options.ts';
import { formatted } from './output.ts';
import { createProgram } from './program.ts';
import { addReproduceCommand } from './reproduce/command.ts';
import { addRescoreCommand } from './rescore/command.ts';
import { addTasksCommands } from './tasks/command.ts';
import { addViewCommand } from './view/command.ts';

const empty = mkdtempSync(join(tmpdir(), 'program-'));

/** The sentence a call ends with. */
async function call(...args: string[]): Promise<string> {
  const program = createProgram();
  for (const add of [addCompareCommand, addReproduceCommand, addRescoreCommand, addTasksCommands, addViewCommand])
    add(program);
  const quiet = (command: typeof program): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    for (const child of command.commands as (typeof program)[]) quiet(child);
  };
  quiet(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const COUNTS: [string, string[]][] = [
  ['--workers', ['reproduce', '--model', 'glm-5.1', '--dir', empty]],
  ['--workers', ['rescore', empty]],
  ['--limit', ['tasks', 'list', empty]],
];
const OTHERS: [string, string[]][] = [
  ['--limit', ['rescore', empty]],
  ['--port', ['view', empty]],
  ['--tolerance', ['reproduce', '--model', 'glm-5.1', '--dir', empty]],
];
const NO_NUMBER = ['-1', '', ' ', 'NaN', 'Infinity', '1e3', '0x10', '4 5', 'many', '99999999999999999999'];

describe('an integer option accepts integers only', () => {
  it.each([...COUNTS, ...OTHERS])('%s of %j', async (option, verb) => {
    const values = [...NO_NUMBER, ...(option === '--tolerance' ? ['101'] : ['1.5', '1.0'])];
    for (const value of values)
      expect([value, await call(...verb, `${option}=${value}`)]).toEqual([value, expect.stringMatching(/is invalid/)]);
  });
  it.each(COUNTS)('%s of %j is at least 1', async (option, verb) => {
    expect(await call(...verb, option, '0')).toMatch(/from 1 to \d+/);
  });
  it('the time limit of a local session is a decimal above 0', () => {
    for (const text of [...NO_NUMBER, '0', '0.0', '700000'])
      expect(() => timeLimit({ timeLimit: text }), text).toThrow(/--time-limit/);
    expect([timeLimit({ timeLimit: '1.5' }), timeLimit({ timeLimit: '90' })]).toEqual([1.5, 90]);
  });
});

describe('-o', () => {
  it.each([
    ['tasks', 'list', empty],
    ['rescore', empty],
    ['compare', empty, empty],
    ['tasks', 'lint', empty],
  ])('nonsense is refused by %s', async (...verb) => {
    expect(await call('-o', 'nonsense', ...verb)).toMatch(/Allowed choices are table, json, yaml/);
    expect(await call(...verb, '-o', 'JSON')).toMatch(/Allowed choices/);
  });
  it('prints a value in three formats', () => {
    const print = (format: 'table' | 'json' | 'yaml'): string => formatted({ a: [1] }, format, () => 'A\n1');
    expect([print('table'), print('json'), print('yaml')]).toEqual(['A\n1', '{"a":[1]}', 'a:\n  - 1']);
  });
});

it('--version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  expect(createProgram().version()).toBe(version);
});
