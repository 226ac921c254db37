import type { Group } from '../group.ts';
import { EXPORT_GROUPS } from './exports.ts';
import { JUDGE_GROUPS } from './judge.ts';
import { PROVIDER_GROUPS } from './providers.ts';
import { REQUEST_GROUPS } from './requests.ts';
import { RESULT_GROUPS } from './results.ts';
import { TASK_GROUPS } from './tasks.ts';
import { USAGE_GROUPS } from './usage.ts';

export const GROUPS: Readonly<Record<string, Group>> = {
  ...TASK_GROUPS,
  ...REQUEST_GROUPS,
  ...RESULT_GROUPS,
  ...USAGE_GROUPS,
  ...JUDGE_GROUPS,
  ...EXPORT_GROUPS,
  ...PROVIDER_GROUPS,
};

const IN_A_BROWSER = 'needs a browser: shown by npm run test:browser';

/** Groups that are not tried here, each with the reason that is printed. */
export const NOT_TRIED: Readonly<Record<string, string>> = {
  attach: IN_A_BROWSER,
  browser_e2e: IN_A_BROWSER,
};
