import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CliFailure } from '../failure.ts';
import { addTasksCommands } from './command.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const GOOD = { instruction: 'do', eval_schema: { url_pattern: '^https://a\\.test', method: 'POST' }, time_limit: 30 };

function folder(tasks: readonly object[]): string {
  const root = mkdtempSync(join(tmpdir(), 'push-bad-'));
  for (const [index, task] of tasks.entries()) {
    mkdirSync(join(root, String(index)));
    writeFileSync(join(root, String(index), 'task.json'), JSON.stringify(task));
  }
  return root;
}

/** What a call prints, or what it ends with. */
async function call(...args: string[]): Promise<{ printed: string; failure: unknown }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const program = new Command().exitOverride();
  addTasksCommands(program);
  const failure: unknown = await program.parseAsync(['tasks', ...args], { from: 'user' }).then(
    () => null,
    (error: unknown) => error,
  );
  return { printed: log.mock.calls.flat().join('\n'), failure };
}

const out = (): string => join(mkdtempSync(join(tmpdir(), 'pack-')), 'suite.tar.gz');

describe.each([
  ['push', () => ['--name', 's', '--dry-run']],
  ['push to S3', () => ['--name', 's', '--s3', 's3://bucket']],
  ['pack', () => ['--out', out()]],
])('tasks %s', (name, options) => {
  const verb = name.split(' ')[0] ?? '';

  it('refuses a suite with lint errors, and prints the first errors and the number of the others', async () => {
    const bad = { ...GOOD, time_limit: undefined };
    const { printed, failure } = await call(verb, folder([bad, GOOD, ...Array<object>(6).fill(bad)]), ...options());
    expect(printed).toBe('');
    expect(failure).toBeInstanceOf(CliFailure);
    const lines = (failure as CliFailure).message.split('\n');
    expect(lines[0]).toMatch(/^the suite is not stored because lint found 7 errors; .*--force/);
    expect(lines[1]).toBe('error schema: 0/task.json: time_limit is missing');
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toMatch(/^2 more/);
  });
});

it('a suite with warnings is stored, and with --force one with errors', async () => {
  const warned = folder([{ ...GOOD, eval_schema: { url_pattern: 'a', method: 'POST' } }]);
  const bad = folder([{ ...GOOD, zzz: 1 }]);
  for (const args of [[warned], [bad, '--force']]) {
    expect((await call('push', ...args, '--name', 's', '--dry-run')).printed).toContain('kind: ConfigMap');
    const file = out();
    expect(await call('pack', ...args, '--out', file)).toMatchObject({ failure: null });
    expect(existsSync(file)).toBe(true);
  }
});
