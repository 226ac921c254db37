import type { Run } from '../../kube/clawbench-kinds.ts';

/** Usage of running agents is written at most this often: each write of a batch adds to etcd's history. */
const USAGE_EVERY_MS = 30_000;

export interface UsageDue {
  /** It may be written now. */
  readonly now: boolean;
  /**
   * When to reconcile again even if nothing happens, because an agent that only thinks spends too. Null: no agent is
   * running.
   */
  readonly at: number | null;
}

/** @param writtenAt when usage was last written. Times in epoch ms. */
export function usageDue(runs: readonly Pick<Run, 'status'>[], writtenAt: number, now: number): UsageDue {
  const phases = runs.map(({ status }) => status?.phase);
  const isDue = now - writtenAt >= USAGE_EVERY_MS || phases.every((phase) => phase === 'Complete');
  return { now: isDue, at: phases.includes('Running') ? (isDue ? now : writtenAt) + USAGE_EVERY_MS : null };
}
