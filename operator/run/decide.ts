import { attemptPrefix, podName } from '../../benchmark/protocol/names.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { findCondition } from '../../kube/conditions.ts';
import { conditionsOf, withCondition, type Moment } from '../conditions.ts';
import {
  attemptState,
  podGoneResult,
  stoppedResult,
  type AttemptResult,
  type AttemptState,
} from '../pod/attempt-state.ts';
import { MOUNT_RECHECK_MS } from '../pod/missing-config-map.ts';
import { containerStatus, attemptNumber, type PodObject } from '../pod/pod-status.ts';
import type { StopRequest } from '../pod/stop-annotations.ts';
import type { Finalising } from '../progress/poll-progress.ts';
import type { Spending } from '../progress/usage-sum.ts';
import { rfc3339, parseTime } from '../timestamps.ts';
import { recordAttemptEnd } from './attempt-end.ts';
import { withLiveUsage } from './attempt-usage.ts';
import { attemptInProgress, podsToDelete } from './attempts.ts';
import type { BatchFacts } from './batch-facts.ts';
import { checkDeadlines, type DeadlineDecision } from './deadline.ts';
import { armedCondition, observePod } from './observe-pod.ts';
import { applyVerdict } from './verdict.ts';

export interface RunInput {
  readonly name: string;
  /** `metadata.uid`. */
  readonly uid: string;
  /** The case's name. */
  readonly task: string;
  readonly generation: number;
  /** As last written; undefined for a new run. */
  readonly status: ClawBenchRunStatus | undefined;
  /** `spec.cancel` of the run or its batch. */
  readonly cancel: boolean;
  readonly facts: BatchFacts;
  /**
   * The run's pods that exist. The pod of the attempt in progress is absent only if the server says that it is gone.
   */
  readonly pods: readonly PodObject[];
  /** What the newest pod lacks to start, in one sentence; null: nothing. */
  readonly missing: string | null;
  /** Name of a pod that may still act, of a deleted run with the same name; null: there is none. */
  readonly namesake: string | null;
  /** The batch has a free slot for this run. */
  readonly admitted: boolean;
  readonly timeLimitSeconds: number | null;
  /** Key prefix of the run, no trailing slash. */
  readonly prefix: string;
  /** What the recorder of the newest pod reports about its end. */
  readonly finalising: Finalising | null;
  /** Its pods have a model gateway. */
  readonly usesModel: boolean;
  /** The usage that the recorder of the attempt in progress last reported; null: none. */
  readonly liveUsage: Spending | null;
  /** The same, as far as the status may show it now: each update is a write. */
  readonly publishedUsage: Spending | null;
  readonly now: number;
}

export type RunAction =
  | { readonly type: 'create'; readonly attempt: number }
  | { readonly type: 'stop'; readonly pod: PodObject; readonly stopRequest: StopRequest }
  /** Its recorder has removed the mailbox, so the sweep Job is not needed. */
  | { readonly type: 'deleteSweepJob'; readonly attempt: number }
  /** `force`: without grace. `unscheduled`: only if it has not changed, because a kubelet may have got it meanwhile. */
  | { readonly type: 'delete'; readonly pod: PodObject; readonly how: 'grace' | 'force' | 'unscheduled' };

export interface RunDecision {
  readonly status: ClawBenchRunStatus;
  /** Applied before the status is written. Each can be repeated. */
  readonly actions: readonly RunAction[];
  /** When to reconcile again even if nothing happens, milliseconds since the epoch. */
  readonly requeueAt: number | null;
}

const CANCELLED: StopRequest = { reason: 'CancelledByUser', message: 'The run was cancelled.' };

/** Everything that happens to a run, from plain data. Applying a decision and deciding again changes nothing more. */
export function decideRun(input: RunInput): RunDecision {
  const status = beginStatus(input);
  const cleanup = podsToDelete(input.status, input.pods, input.facts.ended).map((pod): RunAction => ({
    type: 'delete',
    pod,
    how: 'grace',
  }));
  const number = attemptInProgress(status, input.pods);
  const decision =
    number !== null
      ? followAttempt(input, status, number)
      : status.outcome === undefined
        ? betweenAttempts(input, status)
        : reapplyVerdict(input, status);
  return { ...decision, actions: [...decision.actions, ...cleanup] };
}

function momentOf(input: RunInput): Moment {
  return { generation: input.generation, now: input.now };
}

/** The first status says that the run is accepted, and since when it waits. */
function beginStatus(input: RunInput): ClawBenchRunStatus {
  const old = withoutRejection(input.status ?? {});
  const status: ClawBenchRunStatus = {
    ...old,
    observedGeneration: input.generation,
    phase: old.phase ?? 'Queued',
    task: input.task,
    attempt: old.attempt ?? 0,
    times: { ...old.times, queued: old.times?.queued ?? rfc3339(input.now) },
  };
  const why = input.facts.accepted;
  const accepted =
    why === null ? status : withCondition(status, { type: 'Accepted', status: 'True', ...why }, momentOf(input));
  if (!input.facts.reducedInterception) return accepted;
  const message = 'spec.browser.isolation is DoorOnly: the browser has no network namespace of its own.';
  return withCondition(
    accepted,
    { type: 'ReducedInterception', status: 'True', reason: 'DoorOnly', message },
    momentOf(input),
  );
}

/** The reason for an earlier rejection is gone. */
function withoutRejection(old: ClawBenchRunStatus): ClawBenchRunStatus {
  if (findCondition(conditionsOf(old), 'Accepted')?.status !== 'False') return old;
  return { ...old, reason: undefined, message: undefined };
}

/** An attempt is in progress. */
function followAttempt(input: RunInput, status: ClawBenchRunStatus, number: number): RunDecision {
  const pod = input.pods.find((one) => attemptNumber(one) === number) ?? null;
  const view = withMissingConfigMap(attemptState(pod), input.missing);
  const observed = observePod(
    status,
    { attempt: number, podName: podName(input.name, number), pod, view },
    momentOf(input),
  );
  if (pod === null)
    return endAttempt(input, observed, {
      number,
      pod,
      result: input.cancel ? stoppedResult(CANCELLED, null) : podGoneResult(),
    });
  // A pod whose agent never ran may outlive its attempt: the same decision stops it.
  if (view.state === 'Ended') {
    const { actions } = actionsFor(deadlineDecision(input, pod, view), pod);
    const ended = endAttempt(input, observed, { number, pod, result: view.result });
    return { ...ended, actions: [...ended.actions, ...actions] };
  }
  const decision = deadlineDecision(input, pod, view);
  if (decision.action === 'stop' && decision.how === 'delete') {
    // It never had a node, so nothing ran and nothing can report: the attempt ends here.
    const ended = endAttempt(input, observed, { number, pod, result: stoppedResult(decision.stopRequest, null) });
    return { ...ended, actions: actionsFor(decision, pod).actions };
  }
  const finalising = input.finalising !== null;
  const { actions, requeueAt } = actionsFor(decision, pod);
  return {
    status: withLiveUsage(finalising ? { ...observed, phase: 'Finalising' } : observed, number, input.publishedUsage),
    actions,
    requeueAt: cappedByMountCheck(view, requeueAt, input.now),
  };
}

/**
 * A pod that has a deadline to start is checked more often, because nothing announces a volume that becomes available.
 */
function cappedByMountCheck(view: AttemptState, requeueAt: number | null, now: number): number | null {
  return requeueAt === null || view.state !== 'Pending' ? requeueAt : Math.min(requeueAt, now + MOUNT_RECHECK_MS);
}

/** A missing ConfigMap, which the kubelet does not report in the pod's status. */
function withMissingConfigMap(view: AttemptState, missing: string | null): AttemptState {
  if (missing === null || view.state !== 'Pending' || view.why.stuck) return view;
  return { ...view, why: { ...view.why, message: missing, stuck: true } };
}

function deadlineDecision(input: RunInput, pod: PodObject, view: AttemptState): DeadlineDecision {
  const { timeLimitSeconds, finalising, now } = input;
  const cancel = input.cancel ? CANCELLED : null;
  return checkDeadlines({ pod, view, deadlines: input.facts.deadlines, timeLimitSeconds, cancel, finalising, now });
}

interface EndedAttempt {
  readonly number: number;
  readonly pod: PodObject | null;
  readonly result: AttemptResult;
}

function endAttempt(input: RunInput, observed: ClawBenchRunStatus, { number, pod, result }: EndedAttempt): RunDecision {
  const prefix = attemptPrefix({ runPrefix: input.prefix, runUID: input.uid, attempt: number });
  const { cancel: cancelled, facts, liveUsage } = input;
  const maySpend = input.usesModel && mayHaveSpent(observed, number, pod);
  const end = { number, result, prefix, cancelled, facts, liveUsage, maySpend };
  const status = recordAttemptEnd(observed, end, momentOf(input));
  const swept = input.facts.mailboxes && result.report?.mailboxRemoved === true;
  const actions: RunAction[] = swept ? [{ type: 'deleteSweepJob', attempt: number }] : [];
  return { status, actions, requeueAt: parseTime(status.nextAttemptTime) };
}

/** Whether its recorder was seen running or ended; nothing else runs without it. Unknown for a pod that is gone. */
function mayHaveSpent({ attempts = [] }: ClawBenchRunStatus, number: number, pod: PodObject | null): boolean {
  if (pod === null || attempts.find((attempt) => attempt.number === number)?.times?.started !== undefined) return true;
  const states = ['recorder', 'harness'].map((name) => containerStatus(pod, name)?.state);
  return states.some((state) => state?.running !== undefined || state?.terminated !== undefined);
}

function actionsFor(decision: DeadlineDecision, pod: PodObject): Pick<RunDecision, 'actions' | 'requeueAt'> {
  switch (decision.action) {
    case 'none':
      return { actions: [], requeueAt: decision.requeueAt };
    case 'forceDelete':
      return { actions: [{ type: 'delete', pod, how: 'force' }], requeueAt: null };
    case 'stop': {
      const { how, stopRequest } = decision;
      return {
        actions: [how === 'patch' ? { type: 'stop', pod, stopRequest } : { type: 'delete', pod, how: 'unscheduled' }],
        requeueAt: null,
      };
    }
  }
}

/** No attempt is in progress and the run has not ended: cancel it, wait, or start an attempt. */
function betweenAttempts(input: RunInput, status: ClawBenchRunStatus): RunDecision {
  if (input.cancel) {
    const cancelled: ClawBenchRunStatus = {
      ...status,
      outcome: 'Cancelled',
      reason: 'CancelledByUser',
      message: CANCELLED.message,
      intercepted: false,
    };
    return { status: applyVerdict(cancelled, input.facts, momentOf(input)), actions: [], requeueAt: null };
  }
  const waiting = { status: { ...status, phase: 'Queued' as const }, actions: [] };
  const acting = waitForLastPod(input);
  if (acting !== null) return { ...waiting, ...acting };
  if (input.namesake !== null) return waitForNamesake(input, status, input.namesake);
  const notBefore = parseTime(status.nextAttemptTime) ?? 0;
  if (input.now < notBefore) return { ...waiting, requeueAt: notBefore };
  if (!input.admitted) return { ...waiting, requeueAt: null };
  return startAttempt(input, status, (status.attempt ?? 0) + 1);
}

/** How often a run checks whether its namesake's pod has ended. That pod may have no owner whose run would be woken. */
const NAMESAKE_MS = 10_000;

function waitForNamesake(input: RunInput, status: ClawBenchRunStatus, pod: string): RunDecision {
  const pendingReason = `Waiting for pod ${pod} of a deleted run with the same name to end.`;
  return { status: { ...status, phase: 'Queued', pendingReason }, actions: [], requeueAt: input.now + NAMESAKE_MS };
}

/**
 * Two agents must never work at the same time: the last pod must be gone or have ended. A lost node's pod is deleted by
 * force in the end.
 */
function waitForLastPod(input: RunInput): Pick<RunDecision, 'actions' | 'requeueAt'> | null {
  for (const pod of input.pods) {
    const view = attemptState(pod);
    if (view.state === 'Ended' && view.released) continue;
    return actionsFor(deadlineDecision(input, pod, view), pod);
  }
  return null;
}

function startAttempt(input: RunInput, status: ClawBenchRunStatus, attempt: number): RunDecision {
  const view = {
    state: 'Pending',
    why: { reason: 'PodStartTimeout', gated: false, stuck: false, message: 'The pod was just created.' },
  } as const;
  const seen = { attempt, podName: podName(input.name, attempt), pod: null, view };
  const started = withCondition(
    armedCondition(observePod(status, seen, momentOf(input)), false, momentOf(input)),
    { type: 'Complete', status: 'False', reason: 'Running', message: `Attempt ${String(attempt)} is in progress.` },
    momentOf(input),
  );
  return { status: started, actions: [{ type: 'create', attempt }], requeueAt: null };
}

/** The run has ended. A verdict may still come or change. */
function reapplyVerdict(input: RunInput, status: ClawBenchRunStatus): RunDecision {
  return { status: applyVerdict(status, input.facts, momentOf(input)), actions: [], requeueAt: null };
}
