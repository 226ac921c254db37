import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoBrowser } from '../browser/conformance/browser-here.ts';
import { startWithBrowser } from '../browser/conformance/with-browser.ts';
import { readArguments, runScript, UsageError } from '../cluster/command-line.ts';
import { readCases, type ConformanceCase } from './case-file.ts';
import { CONFORMANCE_GROUPS, leftToTheBrowser } from './groups/all.ts';
import { ignoredFieldsOf } from './ignored-fields.ts';
import { runCases, type CaseResult } from './run-cases.ts';

/**
 * `npm run conformance -- [--no-browser] DIR`: runs every case file of DIR. Prints the IDs of failed and skipped cases with the
 * reason; the last line has the counts. Exit code 1 if a case failed, 2 when there is no case.
 */
const USAGE = `npm run conformance -- [--no-browser] DIR
  DIR           directory with case files (*.json)
  --no-browser  do not start Chromium; cases that need a browser are skipped`;

/** @param noBrowser why no browser is used; null: one is used. */
async function verdictsOf(
  cases: readonly ConformanceCase[],
  noBrowser: string | null,
  directory: string,
): Promise<CaseResult[]> {
  const corpora = join(directory, '..', 'corpora');
  const environment = { corpora: existsSync(corpora) ? corpora : null };
  if (noBrowser !== null) return runCases(cases, CONFORMANCE_GROUPS, leftToTheBrowser(noBrowser), environment);
  const { groups, close } = await startWithBrowser();
  try {
    return await runCases(cases, { ...CONFORMANCE_GROUPS, ...groups }, {}, environment);
  } finally {
    await close();
  }
}

await runScript(async () => {
  const options = { 'no-browser': { type: 'boolean', default: false } } as const;
  const { positionals, values } = readArguments(USAGE, { allowPositionals: true, options });
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0) throw new UsageError(`usage: ${USAGE}`);
  if (!existsSync(directory)) throw new UsageError(`directory ${directory} does not exist`);
  const noBrowser = values['no-browser'] ? '--no-browser was given' : await whyNoBrowser();
  const cases = readCases(directory);
  const verdicts = await verdictsOf(cases, noBrowser, directory);
  for (const verdict of verdicts) {
    if (verdict.result !== 'passed') console.log(`${verdict.result} ${verdict.id}: ${verdict.detail}`);
  }
  const left = cases.flatMap(ignoredFieldsOf);
  for (const reason of new Set(left.map((one) => one.reason))) {
    const fields = new Set(left.filter((one) => one.reason === reason).map(({ field }) => field));
    console.log(`not compared: ${[...fields].join(', ')}: ${reason}`);
  }
  console.log(`${left.length} fields of upstream's host not compared`);
  const count = (result: string): number => verdicts.filter((verdict) => verdict.result === result).length;
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  return count('failed') > 0 ? 1 : 0;
});
