import type { Run } from '../../kube/clawbench-kinds.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { usesModel } from '../harnesses.ts';
import { attemptNumber, type PodObject } from '../pod/pod-status.ts';
import { usageFromProgress } from '../progress/poll-progress.ts';
import type { Spending } from '../progress/usage-sum.ts';
import { attemptInProgress } from './attempts.ts';

/** Usage that a recorder reports during an attempt: it only grows, and is a lower bound. */
export interface LiveUsage {
  /** 1-based number of the attempt in progress. */
  readonly attempt: number;
  /** Usage of this attempt so far, without earlier attempts. */
  readonly spent: Spending;
}

/** What the recorder of the attempt in progress last reported; null: nothing, or the harness calls no model. */
export function liveUsageOf({ progress }: Source, run: Run, pods: readonly PodObject[]): LiveUsage | null {
  return ofAttempt(run, pods, (uid) => {
    const answer = progress.of(uid);
    return answer === undefined ? undefined : usageFromProgress(answer);
  });
}

/** The same, as far as the run's status may show it now. */
export function publishedUsageOf({ progress }: Source, run: Run, pods: readonly PodObject[]): LiveUsage | null {
  return ofAttempt(run, pods, (uid) => progress.publishedUsage(uid));
}

type Source = Pick<ReconcilerDeps, 'progress'>;

function ofAttempt(
  run: Run,
  pods: readonly PodObject[],
  spentBy: (podUID: string) => Spending | undefined,
): LiveUsage | null {
  if (!usesModel(run.spec.harness)) return null;
  const attempt = attemptInProgress(run.status ?? {}, pods);
  const uid = pods.find((pod) => attemptNumber(pod) === attempt)?.metadata.uid;
  const spent = uid === undefined ? undefined : spentBy(uid);
  return attempt === null || spent === undefined ? null : { attempt, spent };
}
