import type { Deadlines } from '../../crds/blocks/limits.ts';
import type { Finalising } from '../progress/poll-progress.ts';
import type { AttemptResult, AttemptState } from '../pod/attempt-state.ts';
import { imagePullFailure, pendingReason, type PendingReason } from '../pod/pending-reason.ts';
import { containerStatus, disruptedAt, startedAt, type PodObject } from '../pod/pod-status.ts';
import { STOP_TIME, type StopRequest } from '../pod/stop-annotations.ts';
import { parseTime } from '../timestamps.ts';

/** What to do about a live pod now, and when to look again at the latest. */
export type DeadlineDecision =
  | { readonly action: 'none'; readonly requeueAt: number | null }
  /** Patch `activeDeadlineSeconds`; or delete, when there is no kubelet yet that could honour it. */
  | { readonly action: 'stop'; readonly how: 'patch' | 'delete'; readonly stopRequest: StopRequest }
  /** Asked long ago and nothing happened (lost node): delete without grace. */
  | { readonly action: 'kill' };

export interface DeadlineInput {
  readonly pod: PodObject;
  readonly view: AttemptState;
  readonly deadlines: Deadlines;
  /** The task's own limit; null: not known. */
  readonly timeLimitSeconds: number | null;
  /** Somebody wants the run to end. */
  readonly cancel: StopRequest | null;
  /** The recorder closes the attempt; of a pod whose agent never started, nobody else ends it. */
  readonly finalising: Finalising | null;
  readonly now: number;
}

/** The recorder has the first word on its own deadlines; the operator comes this much later. */
const SLACK_SECONDS = 15;
/** After the grace of an ordered stop, before the pod is taken away by force. */
const KILL_SLACK_SECONDS = 60;

/**
 * The operator's rungs of the deadline ladder. Each stop is a mark on the pod plus `activeDeadlineSeconds: 1`, so that
 * TERM, grace and termination messages stay as they are.
 */
export function checkDeadlines(input: DeadlineInput): DeadlineDecision {
  const { pod, view, now } = input;
  if (view.state === 'Ended' && view.released) return { action: 'none', requeueAt: null };
  const asked = stopAskedAt(pod);
  if (asked !== null) return forceDeleteDeadline(asked, input);
  if (view.state === 'Ended') return left(pod, view.result);
  const stopRequest = input.cancel ?? restarted(pod, view, input.finalising) ?? unrecoverable(pod, view);
  if (stopRequest !== null) return stop(pod, stopRequest);
  const rung = nextDeadline(input);
  if (rung === null) return { action: 'none', requeueAt: null };
  return now >= rung.at ? stop(pod, rung.stopRequest) : { action: 'none', requeueAt: rung.at };
}

/**
 * A pod whose attempt is over and that still runs. When the harness ran, its end takes the sidecars with it. When it
 * never did, nobody ends them: the recorder gave up, kubelet restarted it and it is parked, and the pod would hold its
 * place for ever.
 */
function left(pod: PodObject, result: AttemptResult): DeadlineDecision {
  if (startedAt(containerStatus(pod, 'harness')) !== null) return { action: 'none', requeueAt: null };
  return stop(pod, { reason: result.reason, message: result.message });
}

function forceDeleteDeadline(asked: number, { deadlines, now }: DeadlineInput): DeadlineDecision {
  const killAt = asked + (deadlines.graceSeconds + KILL_SLACK_SECONDS) * 1000;
  return now >= killAt ? { action: 'kill' } : { action: 'none', requeueAt: killAt };
}

/** When the pod was told to end, by us, by a user or by the cluster; null: nobody did. */
export function stopAskedAt(pod: PodObject): number | null {
  return parseTime(pod.metadata.annotations?.[STOP_TIME]) ?? disruptedAt(pod);
}

function stop(pod: PodObject, stopRequest: StopRequest): DeadlineDecision {
  return { action: 'stop', how: pod.spec?.nodeName === undefined ? 'delete' : 'patch', stopRequest };
}

/** A sidecar that died is a new attempt, never a silent restart. A browser that dies later is the recorder's to report. */
function restarted(pod: PodObject, view: AttemptState, finalising: Finalising | null): StopRequest | null {
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

/** Kubelet would try for ever to start a browser whose seccomp profile the node does not have. */
function unrecoverable(pod: PodObject, view: AttemptState): StopRequest | null {
  if (view.state !== 'Starting') return null;
  const why = pendingReason(pod);
  return why.reason === 'IsolationUnavailable' ? { reason: why.reason, message: why.message } : null;
}

interface TimeLimit {
  readonly at: number;
  readonly stopRequest: StopRequest;
}

function nextDeadline(input: DeadlineInput): TimeLimit | null {
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

function pendingDeadline(pod: PodObject, why: PendingReason, limits: Deadlines): TimeLimit | null {
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
 * The recorder is ahead of what kubelet shows: the agent may be over before its container is seen to start, and then its
 * end takes the pod with it. A pod in which none ever comes is ended once the recorder is done.
 */
function finalisingDeadline(pod: PodObject, { done, since }: Finalising, limits: Deadlines): TimeLimit {
  const { agentKillSeconds, tailSeconds, finaliseSeconds, uploadSeconds } = limits;
  const seconds = SLACK_SECONDS + (done ? 0 : agentKillSeconds + tailSeconds + finaliseSeconds + uploadSeconds);
  const stopRequest: StopRequest = done
    ? { reason: 'AgentStartTimeout', message: 'The recorder ended the attempt before an agent started.' }
    : { reason: 'InternalError', message: `The recorder did not finalise the evidence within ${String(seconds)} s.` };
  return { at: since + seconds * 1000, stopRequest: imagePullFailure(pod) ?? stopRequest };
}

function startDeadline(pod: PodObject, recorderStartedAt: number, deadlines: Deadlines): TimeLimit {
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

/** For a run whose task the operator has not seen and whose recorder does not answer: longer than any task. */
const UNKNOWN_LIMIT_SECONDS = 86_400;

/** Only reached when recorder and shim both fail to end the attempt: their fault, not the agent's. */
function backstop(harnessStartedAt: number, timeLimitSeconds: number | null, limits: Deadlines): TimeLimit {
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
