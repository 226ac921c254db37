import type { Cluster } from '../cluster.ts';
import { usesModel } from '../harnesses.ts';
import type { Run } from '../kinds.ts';
import { liveUsage } from '../progress.ts';
import type { Spent } from '../usage-sum.ts';
import { attemptOf, inFlight } from './attempts.ts';
import type { PodObject } from './pod-object.ts';

export interface Heard {
  readonly attempt: number;
  readonly spent: Spent;
}

/** What the recorder of the attempt under way last said that it spent; null: nothing, or there is no model to call. */
export function heardOf({ progress }: Pick<Cluster, 'progress'>, run: Run, pods: readonly PodObject[]): Heard | null {
  if (!usesModel(run.spec.harness)) return null;
  const attempt = inFlight(run.status ?? {}, pods);
  const uid = pods.find((pod) => attemptOf(pod) === attempt)?.metadata.uid;
  const answer = uid === undefined ? undefined : progress.of(uid);
  return attempt === null || answer === undefined ? null : { attempt, spent: liveUsage(answer) };
}
