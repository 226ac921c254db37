import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, runScript, UsageError } from '../cluster/command-line.ts';
import { readCases } from './case-file.ts';
import { GROUPS, NOT_TRIED } from './groups/all.ts';
import { runCases } from './run-cases.ts';

/**
 * `npm run conformance -- DIR`: tries every case file of DIR. Prints failing ids and skipped ones with their reason; the
 * last line is the count. Exit 1 if any failed, 2 when there is nothing to try.
 */
const USAGE = 'npm run conformance -- DIR, where DIR holds the case files (*.json)';

await runScript(async () => {
  const { positionals } = readArguments(USAGE, { allowPositionals: true });
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0) throw new UsageError(`usage: ${USAGE}`);
  if (!existsSync(directory)) throw new UsageError(`there is no folder ${directory}`);
  const corpora = join(directory, '..', 'corpora');
  const cases = readCases(directory);
  const verdicts = await runCases(cases, GROUPS, NOT_TRIED, { corpora: existsSync(corpora) ? corpora : null });
  for (const verdict of verdicts) {
    if (verdict.result !== 'passed') console.log(`${verdict.result} ${verdict.id}: ${verdict.detail}`);
  }
  const count = (result: string): number => verdicts.filter((verdict) => verdict.result === result).length;
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  return count('failed') > 0 ? 1 : 0;
});
