import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { CliFailure } from '../failure.ts';
import { addRescoreCommand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'rescore-command-'));
const models = join(folder, 'models.yaml');
writeFileSync(models, 'jm: {base_url: "http://127.0.0.1:9/v1", api_type: openai-completions, api_key: k}\n');
const empty = join(folder, 'empty');
mkdirSync(empty);

/** Exit code and sentence of a call. */
async function call(...args: string[]): Promise<{ code: number; sentence: string }> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addRescoreCommand(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
  try {
    await program.parseAsync(['rescore', ...args], { from: 'user' });
  } catch (error) {
    return { code: error instanceof CliFailure ? error.exitCode : 2, sentence: (error as Error).message };
  }
  return { code: 0, sentence: '' };
}

const bad = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('invalid input gives one message and an exit code', () => {
  it.each([
    ['no location', ['--models', models, '--judge', 'jm'], 2, /no bundles given/],
    [
      'a location that does not exist',
      [join(folder, 'none'), '--models', models, '--judge', 'jm'],
      2,
      /is not a folder/,
    ],
    ['a location without bundles', [empty, '--models', models, '--judge', 'jm'], 1, /no run-meta\.json found in/],
    ['neither location nor models file', [join(folder, 'none')], 2, /none is not a folder/],
    ['no bucket', ['s3://', '--models', models, '--judge', 'jm'], 2, /not a valid S3 URL/],
    [
      'no models file',
      [empty, '--models', join(folder, 'none.yaml')],
      2,
      /models file .* does not exist; use --models/,
    ],
    [
      'an unknown judge',
      [empty, '--models', models, '--judge', 'x'],
      2,
      /no model named x; use --judge with one of jm/,
    ],
    [
      'a model without a key',
      [empty, '--models', bad('a', 'jm: {base_url: "http://h", api_type: openai-completions}'), '--judge', 'jm'],
      2,
      /"jm" has neither api_key nor api_keys/,
    ],
    ['no YAML', [empty, '--models', bad('b', 'jm: {'), '--judge', 'jm'], 2, /not valid YAML at line/],
    ['no UTF-8', [empty, '--models', bad('c', Buffer.from([0xff, 0xfe])), '--judge', 'jm'], 2, /is not valid UTF-8/],
    ['an unknown rubric', [empty, '--rubric', 'kind'], 2, /Unknown rubric kind/],
    [
      'the answer rubric without tasks',
      [empty, '--models', models, '--judge', 'jm', '--rubric', 'answer'],
      2,
      /requires --tasks/,
    ],
  ])('%s', async (_sentence, args, code, sentence) => {
    const result = await call(...args, '--out', join(folder, 'out'));
    expect(result.sentence).toMatch(sentence);
    expect(result.code).toBe(code);
    expect(result.sentence).not.toContain('\n');
    expect(readdirSync(folder)).not.toContain('out');
  });
});

it('prints how many runs were judged and where the results are', async () => {
  const place = join(folder, 'one');
  mkdirSync(join(place, 'batch-1/m/r'), { recursive: true });
  const meta = { test_case: '1', intercepted: false, model: 'm', harness: 'h' };
  writeFileSync(join(place, 'batch-1/m/r/run-meta.json'), JSON.stringify(meta));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const out = join(folder, 'tables');
  const args = [place, '--models', models, '--judge', 'jm', '--out', out];
  expect(await call(...args)).toEqual({ code: 0, sentence: '' });
  expect(await call(...args, '--no-eval-results')).toEqual({ code: 0, sentence: '' });
  const where = `clawbench: judged 0 runs; wrote verdicts to each bundle and rescore-summary.json to each batch in ${place}`;
  expect(error.mock.calls.flat()).toEqual([`${where}, tables to ${out}/<batch>/`, where]);
  log.mockRestore();
  error.mockRestore();
});

it("accepts upstream's option names", async () => {
  const result = await call(empty, '--models-yaml', models, '--judge-model', 'jm', '--rubric', 'both');
  expect(result.sentence).toMatch(/no run-meta\.json found in/);
});
