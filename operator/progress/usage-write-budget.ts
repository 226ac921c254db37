import type { Spending } from './usage-sum.ts';

/** What of a pod's spending is known, and what of it was given to its run's status. */
export interface PublishableUsage {
  readonly podUID: string;
  readonly spent: Spending;
  readonly publishable: Spending | null;
  /** Epoch ms; 0: never. */
  readonly publishedAt: number;
}

/**
 * A run's status shows what it spends while it runs, and each time that is a write to the API server, to etcd and to
 * everyone who watches. So it is at most this many in a round of the poll (10 s): 5 a second in all, whatever is running.
 * With 50 runs each is shown every 10 s, with 200 every 40 s, with 1,000 every 200 s. A run's status has some 6 KB, so
 * that etcd holds 9 MB of it between two of the API server's compactions (5 min).
 */
export const USAGE_WRITES_PER_POLL = 50;

/** The pods whose spending is to be shown now: those of which there is something new, longest unshown first. */
export function podsDueForUsageWrite(
  pods: readonly PublishableUsage[],
  most = USAGE_WRITES_PER_POLL,
): readonly string[] {
  const due = pods.filter(
    ({ spent, publishable }) => !isSame(spent, publishable ?? { ...spent, tokens: 0, apiCalls: 0 }),
  );
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
