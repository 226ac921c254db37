import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCases } from '../../conformance/case-file.ts';
import { runCases } from '../../conformance/run-cases.ts';
import { CASE_FILES, hasCaseFiles } from '../../shared-data.ts';
import { BROWSER_GROUPS } from './groups.ts';
import { SCENARIOS } from './scenarios.ts';
import { startWithBrowser, type WithBrowser } from './with-browser.ts';

/**
 * The conformance cases that need a browser, one test each: the case's page in a real Chromium, and the result from the
 * evidence that the recorder's own parts have written. A case with an intended difference passes only with the result
 * that is listed for it.
 */
const cases = hasCaseFiles ? readCases(CASE_FILES).filter(({ group }) => BROWSER_GROUPS[group] !== undefined) : [];

describe.runIf(hasCaseFiles)('conformance in a browser', () => {
  let browser: WithBrowser;
  beforeAll(async () => {
    browser = await startWithBrowser();
  });
  // Fails when a target arrived at the site after its case had ended.
  afterAll(() => browser.close());

  test.each(cases.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
    const [verdict] = await runCases([one], browser.groups, {}, { corpora: null });
    if (verdict?.result === 'skipped') expect(verdict).toMatchObject({ because: 'difference' });
    else expect(verdict).toEqual({ id: one.id, result: 'passed' });
  });
});

test.runIf(hasCaseFiles)('every group and every scenario belongs to a case', () => {
  expect(new Set(cases.map(({ group }) => group))).toEqual(new Set(Object.keys(BROWSER_GROUPS)));
  const named = cases.flatMap(({ input }) => ('scenario' in input ? [String(input.scenario)] : []));
  expect([...new Set(named)].sort()).toEqual(Object.keys(SCENARIOS).sort());
});

test('there are pages for scenarios, with or without case files', () => {
  expect(Object.keys(SCENARIOS).length).toBeGreaterThan(30);
});
