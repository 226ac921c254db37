import type { Spending } from './usage-sum.ts';

/** The usage of a pod as last reported, and as last written to its run's status. */
export interface PublishableUsage {
  readonly podUID: string;
  readonly spent: Spending;
  readonly published: Spending | null;
  /** Milliseconds since the epoch; 0: never. */
  readonly publishedAt: number;
}

/**
 * A run's status shows its usage while it runs, and each update is a write to the API server, to etcd and to every
 * watcher. So one round of the poll (10 s) writes at most this many: 5 per second in total, whatever is running. With
 * 50 runs each is updated every 10 s, with 200 every 40 s, with 1,000 every 200 s. A run's status has about 6 KB, so
 * etcd holds 9 MB of it between two compactions by the API server (5 min).
 */
export const USAGE_WRITES_PER_POLL = 50;

/** The pods whose usage is due to be written: those with new usage, the one that has waited longest first. */
export function podsDueForUsageWrite(
  pods: readonly PublishableUsage[],
  most = USAGE_WRITES_PER_POLL,
): readonly string[] {
  const due = pods.filter(({ spent, published }) => !isSame(spent, published ?? { ...spent, tokens: 0, apiCalls: 0 }));
  return due
    .toSorted((left, right) => left.publishedAt - right.publishedAt)
    .slice(0, most)
    .map(({ podUID }) => podUID);
}

function isSame(one: Spending, other: Spending): boolean {
  return (
    (one.costUSD ?? null) === (other.costUSD ?? null) && one.tokens === other.tokens && one.apiCalls === other.apiCalls
  );
}
