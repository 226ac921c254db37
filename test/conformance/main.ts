import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from './case-file.ts';
import { GROUPS, NOT_TRIED } from './groups/all.ts';
import { runCases } from './run-cases.ts';

/**
 * `npm run conformance -- DIR`: tries every case file of DIR. Prints failing ids and skipped ones with their reason; the
 * last line is the count. Exit 1 if any failed, 2 when there is nothing to try.
 */
const directory = process.argv[2];
if (directory === undefined || !existsSync(directory)) {
  console.error('usage: npm run conformance -- DIR, where DIR holds the case files (*.json)');
  process.exit(2);
}
const corpora = join(directory, '..', 'corpora');
const cases = readCases(directory);
const verdicts = await runCases(cases, GROUPS, NOT_TRIED, { corpora: existsSync(corpora) ? corpora : null });
for (const verdict of verdicts) {
  if (verdict.result !== 'passed') console.log(`${verdict.result} ${verdict.id}: ${verdict.detail}`);
}
const count = (result: string): number => verdicts.filter((verdict) => verdict.result === result).length;
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
process.exitCode = count('failed') > 0 ? 1 : 0;
