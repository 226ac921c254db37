import type { BatchAction } from './actions.ts';

/**
 * Deletes the Jobs before this one, which has just ended: the log of the last one stays readable, and a batch that is
 * refused for hours does not fill its namespace. Two, since one that was deleted itself may have left its forerunner.
 */
export function oldJobs(number: number, nameOf: (number: number) => string): BatchAction[] {
  return [number - 1, number - 2].filter((one) => one > 0).map((one) => ({ type: 'deleteJob', name: nameOf(one) }));
}
