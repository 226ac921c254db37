import type { Command } from 'commander';
import { fnmatch } from '../../benchmark/text/fnmatch.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { outputOf } from '../output.ts';
import { formatRows } from '../tasks/list.ts';
import { checkModelKeys, type CheckedKey } from './check.ts';
import { readModelsFile } from './read-models.ts';

/** Adds `models check` to the command line. */
export function addModelsCommands(program: Command): void {
  const models = program.command('models').description('models.yaml: the models of agents and judges');
  models
    .command('check')
    .description('check a models.yaml, and make one tiny call with each key; exit 1 unless every one is answered')
    .argument('<file>', 'models.yaml')
    .option('--model <pattern...>', 'only the models of these names (globs)')
    .option('--no-call', 'check the file alone and call nobody')
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
      throw new CliFailure(EXIT.usage, `${file} has no model named ${pattern}`);
  return all.filter(({ name }) => tests.some(({ pattern, matches }) => name === pattern || matches(name)));
}
