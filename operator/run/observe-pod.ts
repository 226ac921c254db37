import type { ClawBenchRunStatus, PhaseTimes, RunPhase } from '../../crds/status/run-status.ts';
import { withCondition, type Moment } from '../conditions.ts';
import type { AttemptState } from '../pod/attempt-state.ts';
import { pendingReason } from '../pod/pending-reason.ts';
import { allStatuses, containerStatus, podCondition, startedAt, type PodObject } from '../pod/pod-status.ts';
import { rfc3339 } from '../timestamps.ts';
import { parseTime } from '../timestamps.ts';
import { withAttempt } from './attempts.ts';
import { stopRequestedAt } from './deadline.ts';

/** The status with what the pod shows. It does not record the end of an attempt. */
export function observePod(
  status: ClawBenchRunStatus,
  seen: { attempt: number; podName: string; pod: PodObject | null; view: AttemptState },
  moment: Moment,
): ClawBenchRunStatus {
  const { pod, view, attempt } = seen;
  const before = status.attempts?.find((one) => one.number === attempt);
  const times = { ...before?.times, ...podTimes(pod) };
  const entry = {
    ...before,
    number: attempt,
    podName: seen.podName,
    times,
    ...(pod === null ? {} : { podUID: pod.metadata.uid }),
    ...(pod?.spec?.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
  };
  const next: ClawBenchRunStatus = {
    ...status,
    attempt,
    attempts: withAttempt(status.attempts, entry),
    times: timesOfRun(status, times),
    phase: view.state === 'Ended' ? status.phase : phaseOf(view, pod),
    nextAttemptTime: undefined,
    pendingReason: waitingMessage(view, pod),
    images: imagesOf(pod) ?? status.images,
  };
  return view.state === 'Ended' ? next : podConditions(next, pod, moment);
}

/** The times of the run from those of one attempt, without times that only another attempt reached. */
export function timesOfRun({ times }: ClawBenchRunStatus, ofAttempt: PhaseTimes): ClawBenchRunStatus['times'] {
  return times?.queued === undefined ? ofAttempt : { queued: times.queued, ...ofAttempt };
}

function phaseOf(view: Exclude<AttemptState, { state: 'Ended' }>, pod: PodObject | null): RunPhase {
  if (pod !== null && stopRequestedAt(pod) !== null) return 'Finalising';
  return view.state;
}

/** A harness image is pulled only after the sidecars are up, so a pod that is starting can still wait for something. */
function waitingMessage(view: AttemptState, pod: PodObject | null): string | undefined {
  if (view.state === 'Pending') return view.why.message;
  if (view.state !== 'Starting' || pod === null) return undefined;
  const why = pendingReason(pod);
  return why.reason === 'PodStartTimeout' && containerStatus(pod, 'browser')?.started !== true && !why.stuck
    ? undefined
    : why.message;
}

function podTimes(pod: PodObject | null): PhaseTimes {
  if (pod === null) return {};
  const found: Record<string, number | null> = {
    podCreated: parseTime(pod.metadata.creationTimestamp),
    podScheduled: scheduledAt(pod),
    started: startedAt(containerStatus(pod, 'recorder')),
    agentStarted: startedAt(containerStatus(pod, 'harness')),
  };
  const known = Object.entries(found).filter((entry): entry is [string, number] => entry[1] !== null);
  return Object.fromEntries(known.map(([step, at]) => [step, rfc3339(at)]));
}

function scheduledAt(pod: PodObject): number | null {
  const condition = podCondition(pod, 'PodScheduled');
  return condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : null;
}

function imagesOf(pod: PodObject | null): Record<string, string> | null {
  const known = pod === null ? [] : allStatuses(pod).filter((status) => (status.imageID ?? '') !== '');
  return known.length === 0 ? null : Object.fromEntries(known.map((status) => [status.name, status.imageID ?? '']));
}

function podConditions(status: ClawBenchRunStatus, pod: PodObject | null, moment: Moment): ClawBenchRunStatus {
  if (pod === null) return status;
  const node = pod.spec?.nodeName;
  const scheduled = withCondition(
    status,
    node === undefined
      ? { type: 'PodScheduled', status: 'False', reason: 'Waiting', message: pendingReason(pod).message }
      : { type: 'PodScheduled', status: 'True', reason: 'Scheduled', message: `The pod was scheduled on ${node}.` },
    moment,
  );
  const sidecars = ['browser', 'harness'].map((name) => containerStatus(pod, name)?.started === true);
  return armedCondition(scheduled, sidecars.includes(true), moment);
}

/** Once proven it stays true for the attempt, even if the browser ends later. */
export function armedCondition(status: ClawBenchRunStatus, armed: boolean, moment: Moment): ClawBenchRunStatus {
  const message = armed
    ? 'The self-test was blocked, so interception works; the agent may start.'
    : 'Interception is not armed yet.';
  const reason = armed ? 'SelfTestBlocked' : 'NotYet';
  return withCondition(status, { type: 'Armed', status: armed ? 'True' : 'False', reason, message }, moment);
}
