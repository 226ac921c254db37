import type { Deadlines } from '../../crds/blocks/limits.ts';
import type { AttemptResult, AttemptState } from '../pod/attempt-state.ts';
import { imagePullFailure, pendingReason, type PendingReason } from '../pod/pending-reason.ts';
import { containerStatus, disruptedAt, startedAt, type PodObject } from '../pod/pod-status.ts';
import { STOP_TIME, type StopRequest } from '../pod/stop-annotations.ts';
import type { Finalising } from '../progress/poll-progress.ts';
import { parseTime } from '../timestamps.ts';

/** What to do about a pod that has not ended, and when to check again at the latest. */
export type DeadlineDecision =
  | { readonly action: 'none'; readonly requeueAt: number | null }
  /** Patch `activeDeadlineSeconds`, or delete the pod when no kubelet has it yet that could honour the patch. */
  | { readonly action: 'stop'; readonly how: 'patch' | 'delete'; readonly stopRequest: StopRequest }
  /** A stop was requested long ago without effect (lost node): delete without grace. */
  | { readonly action: 'forceDelete' };

export interface DeadlineInput {
  readonly pod: PodObject;
  readonly view: AttemptState;
  readonly deadlines: Deadlines;
  /** The task's own limit; null: unknown. */
  readonly timeLimitSeconds: number | null;
  /** The run was cancelled. */
  readonly cancel: StopRequest | null;
  /** The recorder is finalising. If the pod's agent never started, nothing else ends that pod. */
  readonly finalising: Finalising | null;
  readonly now: number;
}

/** The recorder enforces its own deadlines first; the operator acts this much later. */
const SLACK_SECONDS = 15;
/** Added to the grace period of a requested stop, before the pod is deleted by force. */
const KILL_SLACK_SECONDS = 60;

/**
 * The operator's deadlines. Each stop is an annotation plus `activeDeadlineSeconds: 1`, which keeps SIGTERM, the grace
 * period and the termination messages as they are.
 */
export function checkDeadlines(input: DeadlineInput): DeadlineDecision {
  const { pod, view, now } = input;
  if (view.state === 'Ended' && view.released) return { action: 'none', requeueAt: null };
  const requestedAt = stopRequestedAt(pod);
  if (requestedAt !== null) return forceDeleteDeadline(requestedAt, input);
  if (view.state === 'Ended') return stopLeftover(pod, view.result);
  const stopRequest = input.cancel ?? restartedSidecar(pod, view, input.finalising) ?? unrecoverable(pod, view);
  if (stopRequest !== null) return stop(pod, stopRequest);
  const next = nextDeadline(input);
  if (next === null) return { action: 'none', requeueAt: null };
  return now >= next.at ? stop(pod, next.stopRequest) : { action: 'none', requeueAt: next.at };
}

/**
 * A pod whose attempt has ended and that still runs. If the harness ran, its end stops the sidecars. If it never ran,
 * nothing does: the recorder has given up, the kubelet has restarted it, it waits idle, and the pod would occupy its
 * slot for ever.
 */
function stopLeftover(pod: PodObject, result: AttemptResult): DeadlineDecision {
  if (startedAt(containerStatus(pod, 'harness')) !== null) return { action: 'none', requeueAt: null };
  return stop(pod, { reason: result.reason, message: result.message });
}

function forceDeleteDeadline(requestedAt: number, { deadlines, now }: DeadlineInput): DeadlineDecision {
  const killAt = requestedAt + (deadlines.graceSeconds + KILL_SLACK_SECONDS) * 1000;
  return now >= killAt ? { action: 'forceDelete' } : { action: 'none', requeueAt: killAt };
}

/** When the pod was asked to stop, by the operator, by a user or by the cluster; null: it was not. */
export function stopRequestedAt(pod: PodObject): number | null {
  return parseTime(pod.metadata.annotations?.[STOP_TIME]) ?? disruptedAt(pod);
}

function stop(pod: PodObject, stopRequest: StopRequest): DeadlineDecision {
  return { action: 'stop', how: pod.spec?.nodeName === undefined ? 'delete' : 'patch', stopRequest };
}

/**
 * A sidecar that died means a new attempt, never a silent restart. If the browser dies later, the recorder reports it.
 */
function restartedSidecar(pod: PodObject, view: AttemptState, finalising: Finalising | null): StopRequest | null {
  const restarts = (name: string): number => containerStatus(pod, name)?.restartCount ?? 0;
  if (restarts('recorder') > 0) {
    return {
      reason: 'RecorderRestarted',
      message: 'The recorder died and the kubelet restarted it, so this attempt is void.',
    };
  }
  if (view.state === 'Starting' && finalising === null && restarts('browser') > 0) {
    return { reason: 'BrowserRestarted', message: 'The browser container died before interception was armed.' };
  }
  return null;
}

/** The kubelet would try for ever to start a browser whose seccomp profile is missing on the node. */
function unrecoverable(pod: PodObject, view: AttemptState): StopRequest | null {
  if (view.state !== 'Starting') return null;
  const why = pendingReason(pod);
  return why.reason === 'IsolationUnavailable' ? { reason: why.reason, message: why.message } : null;
}

interface Deadline {
  readonly at: number;
  readonly stopRequest: StopRequest;
}

function nextDeadline(input: DeadlineInput): Deadline | null {
  const { view, deadlines: limits, pod, finalising } = input;
  switch (view.state) {
    case 'Pending':
    case 'Starting':
      if (finalising !== null) return finalisingDeadline(pod, finalising, limits);
      return view.state === 'Pending'
        ? pendingDeadline(pod, view.why, limits)
        : startDeadline(pod, view.recorderStartedAt, limits);
    case 'Running':
      return backstop(view.harnessStartedAt, input.timeLimitSeconds, limits);
    case 'Ended':
      return null;
  }
}

function pendingDeadline(pod: PodObject, why: PendingReason, limits: Deadlines): Deadline | null {
  if (why.gated) return null;
  const at = (parseTime(pod.metadata.creationTimestamp) ?? 0) + limits.pendingSeconds * 1000;
  return {
    at,
    stopRequest: {
      reason: why.reason,
      message: `The pod did not start within ${String(limits.pendingSeconds)} s. ${why.message}`,
    },
  };
}

/**
 * The recorder is ahead of what the kubelet shows: the agent may be done before its container is reported to start, and
 * then its end stops the pod. A pod whose agent never starts is stopped once the recorder is done.
 */
function finalisingDeadline(pod: PodObject, { done, since }: Finalising, limits: Deadlines): Deadline {
  const { agentKillSeconds, tailSeconds, finaliseSeconds, uploadSeconds } = limits;
  const seconds = SLACK_SECONDS + (done ? 0 : agentKillSeconds + tailSeconds + finaliseSeconds + uploadSeconds);
  const stopRequest: StopRequest = done
    ? { reason: 'AgentStartTimeout', message: 'The recorder ended the attempt before an agent started.' }
    : { reason: 'InternalError', message: `The recorder did not finalise the evidence within ${String(seconds)} s.` };
  return { at: since + seconds * 1000, stopRequest: imagePullFailure(pod) ?? stopRequest };
}

function startDeadline(pod: PodObject, recorderStartedAt: number, deadlines: Deadlines): Deadline {
  const armed = containerStatus(pod, 'browser')?.started === true;
  const seconds = deadlines.setupSeconds + (armed ? deadlines.agentStartSeconds : 0);
  const at = recorderStartedAt + (seconds + SLACK_SECONDS) * 1000;
  const image = armed ? imagePullFailure(pod) : null;
  if (image !== null) return { at, stopRequest: image };
  const message = armed
    ? `The harness did not start within ${String(seconds)} s.`
    : `Interception was not armed within ${String(seconds)} s.`;
  return { at, stopRequest: { reason: armed ? 'AgentStartTimeout' : 'SetupTimeout', message } };
}

/** For a run whose task the operator has not seen and whose recorder does not respond: longer than any task. */
const UNKNOWN_LIMIT_SECONDS = 86_400;

/** Reached only when the recorder and the shim both fail to end the attempt, which is not the agent's fault. */
function backstop(harnessStartedAt: number, timeLimitSeconds: number | null, limits: Deadlines): Deadline {
  const { agentStartSeconds, agentKillSeconds, tailSeconds, finaliseSeconds, uploadSeconds } = limits;
  const seconds =
    agentStartSeconds +
    (timeLimitSeconds ?? UNKNOWN_LIMIT_SECONDS) +
    agentKillSeconds +
    tailSeconds +
    finaliseSeconds +
    uploadSeconds +
    4 * SLACK_SECONDS;
  return {
    at: harnessStartedAt + seconds * 1000,
    stopRequest: { reason: 'InternalError', message: `The attempt did not end by itself within ${String(seconds)} s.` },
  };
}
