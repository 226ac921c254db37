import type { PhaseTimes } from '../../crds/status/run-status.ts';

/** Hours from the first Pod to the last end among the runs; 0 when none has both. */
export function wallHours(times: readonly (PhaseTimes & { readonly completed?: string | undefined })[]): number {
  const starts = times.flatMap((one) => (one.podCreated === undefined ? [] : [Date.parse(one.podCreated)]));
  const ends = times
    .flatMap((one) => [one.ended, one.completed])
    .flatMap((at) => (at === undefined ? [] : [Date.parse(at)]));
  if (starts.length === 0 || ends.length === 0) return 0;
  return Math.max(0, Math.max(...ends) - Math.min(...starts)) / 3_600_000;
}
