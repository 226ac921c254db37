import { BROWSER_GROUPS } from '../../browser/conformance/groups.ts';
import type { ConformanceGroup } from '../group.ts';
import { EXPORT_GROUPS } from './exports.ts';
import { JUDGE_GROUPS } from './judge.ts';
import { PROVIDER_GROUPS } from './providers.ts';
import { REQUEST_GROUPS } from './requests.ts';
import { RESULT_GROUPS } from './results.ts';
import { TASK_GROUPS } from './tasks.ts';
import { USAGE_GROUPS } from './usage.ts';

export const CONFORMANCE_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  ...TASK_GROUPS,
  ...REQUEST_GROUPS,
  ...RESULT_GROUPS,
  ...USAGE_GROUPS,
  ...JUDGE_GROUPS,
  ...EXPORT_GROUPS,
  ...PROVIDER_GROUPS,
};

/** Runs the groups of {@link BROWSER_GROUPS} case by case. */
export const BROWSER_TEST = 'test/browser/conformance/conformance.test.ts';

/**
 * Groups that need a browser, each with the text that is printed when none is used. A group without any check is not
 * listed: its cases fail.
 * @param why the reason why no browser is used.
 */
export function leftToTheBrowser(why: string): Readonly<Record<string, string>> {
  const reason = `needs a browser, and ${why}; run by ${BROWSER_TEST} (npm run test:browser)`;
  const groups = Object.keys(BROWSER_GROUPS).filter((group) => CONFORMANCE_GROUPS[group] === undefined);
  return Object.fromEntries(groups.map((group) => [group, reason]));
}
