import type { StoredRun } from '../../judging/bundle/read-stored-run.ts';

/** A batch directory and its runs, in path order. */
export interface BatchDirectory {
  /** Key of the directory without a trailing slash; '' for the location itself. */
  readonly key: string;
  readonly runs: readonly StoredRun[];
}

/**
 * Groups runs by batch directory: the nearest ancestor named `batch-*`, as in upstream. Runs without one belong to the
 * location itself.
 * @param single treat the location itself as the batch directory (`--only-batch`)
 */
export function groupBatches(runs: readonly StoredRun[], single: boolean): readonly BatchDirectory[] {
  const groups = Map.groupBy(runs, (run) => (single ? '' : batchOf(run.prefix)));
  return [...groups].map(([key, inside]) => ({ key, runs: inside })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

function batchOf(prefix: string): string {
  const parts = prefix.split('/').filter((part) => part !== '');
  // The folder of the run itself is never a batch, whatever its name.
  const nearest = parts.slice(0, -1).findLastIndex((part) => part.startsWith('batch-'));
  return parts.slice(0, nearest + 1).join('/');
}
