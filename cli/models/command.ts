import type { Command } from 'commander';
import { fnmatch } from '../../benchmark/text/fnmatch.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { outputOf } from '../output.ts';
import { formatRows } from '../tasks/list.ts';
import { checkModelKeys, type CheckedKey } from './check.ts';
import { readModelsFile } from './read-models.ts';

/** Adds `models check` to the command line. */
export function addModelsCommands(program: Command): void {
  const models = program.command('models').description('Check the models.yaml with the models of agents and judges.');
  models
    .command('check')
    .description('Check a models.yaml and make one small call with each API key. Exits with 1 if a call fails.')
    .argument('<file>', 'models.yaml')
    .option('--model <glob...>', 'only models whose name matches')
    .option('--no-call', 'check only the file and make no calls')
    .action(async (file: string, options: { model?: string[]; call: boolean }) => {
      const all = [...(await readModelsFile(file)).values()];
      const chosen = options.model === undefined ? all : matching(all, options.model, file);
      const rows: CheckedKey[] = [];
      for (const model of chosen) rows.push(...(await checkModelKeys(model, options.call)));
      console.log(formatRows(rows, outputOf(program)));
      if (rows.some(({ state }) => state === 'problem' || state === 'away')) process.exitCode = EXIT.failed;
    });
}

function matching<T extends { readonly name: string }>(
  all: readonly T[],
  patterns: readonly string[],
  file: string,
): T[] {
  const tests = patterns.map((pattern) => ({ pattern, matches: fnmatch(pattern) }));
  for (const { pattern, matches } of tests)
    if (!all.some(({ name }) => name === pattern || matches(name)))
      throw new CliFailure(EXIT.usage, `no model in ${file} matches ${pattern}`);
  return all.filter(({ name }) => tests.some(({ pattern, matches }) => name === pattern || matches(name)));
}
