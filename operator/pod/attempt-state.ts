import type { Outcome, Reason } from '../../benchmark/outcome/outcome.ts';
import { outcomeMessage, type OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { disruptionFailure, outOfMemoryFailure, podFailure, type PodFailure } from './failure-reason.ts';
import { imagePullFailure, pendingReason, type PendingReason } from './pending-reason.ts';
import {
  allStatuses,
  containerStatus,
  disruptedAt,
  startedAt,
  type ContainerStatus,
  type PodObject,
  type TerminatedState,
} from './pod-status.ts';
import { stopRequestOf, type StopRequest } from './stop-annotations.ts';

/**
 * The result of one attempt. `report` is the message of the recorder or the shim; null when neither could write one.
 */
export interface AttemptResult {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly message: string;
  readonly report: OutcomeMessage | null;
}

/**
 * What a pod shows of its attempt now. `released`: the pod can no longer act. Only then may the next attempt start, or
 * two agents would work at the same time.
 */
export type AttemptState =
  | { readonly state: 'Pending'; readonly why: PendingReason }
  | { readonly state: 'Starting'; readonly recorderStartedAt: number; readonly harnessStarted: false }
  | { readonly state: 'Running'; readonly recorderStartedAt: number; readonly harnessStartedAt: number }
  | { readonly state: 'Ended'; readonly result: AttemptResult; readonly released: boolean };

/**
 * Read from container states and termination messages, never from the pod's phase alone: the phase comes about two
 * seconds later and only distinguishes Failed and Succeeded. `null`: the server no longer has the pod.
 */
export function attemptState(pod: PodObject | null): AttemptState {
  if (pod === null) return { state: 'Ended', released: true, result: podGoneResult() };
  const report = reportOf(pod);
  const released = isReleased(pod);
  if (report !== null) return { state: 'Ended', released, result: resolveReport(pod, report) };
  if (released) return { state: 'Ended', released, result: withoutReport(pod) };
  const recorder = startedAt(containerStatus(pod, 'recorder'));
  if (recorder === null) return { state: 'Pending', why: pendingReason(pod) };
  const harness = startedAt(containerStatus(pod, 'harness'));
  if (harness === null) return { state: 'Starting', recorderStartedAt: recorder, harnessStarted: false };
  return { state: 'Running', recorderStartedAt: recorder, harnessStartedAt: harness };
}

/** Whether the pod has not ended, as far as is known. */
export function mayAct(pod: PodObject): boolean {
  const view = attemptState(pod);
  return view.state !== 'Ended' || !view.released;
}

/** The result of an attempt whose Pod object is gone. */
export function podGoneResult(): AttemptResult {
  return infrastructure('PodDeleted', 'The pod was deleted before it reported an outcome.');
}

function infrastructure(reason: Reason, message: string): AttemptResult {
  return { outcome: 'Infrastructure', reason, message, report: null };
}

/**
 * The first readable message: the harness's, then the recorder's (its current or first life). The shim exits with 0
 * after it has overwritten the file with its message. With another code it has not, and the file may be the agent's,
 * which can end a Go program with SIGQUIT.
 */
function reportOf(pod: PodObject): OutcomeMessage | null {
  const recorder = containerStatus(pod, 'recorder');
  for (const end of [shimTermination(pod), recorder?.state?.terminated, recorder?.lastState?.terminated]) {
    const message = parseReport(end?.message);
    if (message !== null) return message;
  }
  return null;
}

function shimTermination(pod: PodObject): TerminatedState | undefined {
  const end = containerStatus(pod, 'harness')?.state?.terminated;
  return end?.exitCode === 0 ? end : undefined;
}

function parseReport(text: string | undefined): OutcomeMessage | null {
  if (text === undefined || !text.startsWith('{')) return null;
  try {
    const parsed = outcomeMessage.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // truncated by the kubelet: the container states decide
  }
}

/**
 * The kubelet never reports a final phase while a container may still run. Without a final phase, the main container
 * and every sidecar must have stopped (a sidecar alone would be restarted).
 */
function isReleased(pod: PodObject): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  const down = (status: ContainerStatus): boolean => status.state?.running === undefined;
  return containerStatus(pod, 'harness')?.state?.terminated !== undefined && allStatuses(pod).every(down);
}

function withoutReport(pod: PodObject): AttemptResult {
  const stopRequest = stopRequestOf(pod);
  if (stopRequest !== null) return stoppedResult(stopRequest, null);
  const failure = podFailure(pod);
  return infrastructure(failure.reason, failure.message);
}

/** The result of an attempt that the operator stopped. */
export function stoppedResult(stopRequest: StopRequest, report: OutcomeMessage | null): AttemptResult {
  return { outcome: stopOutcome(stopRequest.reason), reason: stopRequest.reason, message: stopRequest.message, report };
}

function stopOutcome(reason: Reason): Outcome {
  return reason === 'CancelledByUser' || reason === 'BudgetExceeded' ? 'Cancelled' : 'Infrastructure';
}

/**
 * Reasons that the recorder reports when all it knows is that it was asked to stop. The operator or the cluster knows
 * why.
 */
const AMBIGUOUS_REASONS: readonly Reason[] = [
  'PodDeleted',
  'PodFailed',
  'InternalError',
  'AgentExited',
  'CancelledByUser',
];

/**
 * A report stands, except when the attempt ended before anything was intercepted and for a reason that the recorder
 * cannot know. The attempt may have been stopped from outside: a drained node must not count as a failed agent. If
 * nothing stopped it from outside, the agent caused that report: it shares the pod's loopback and can send it itself.
 */
function resolveReport(pod: PodObject, report: OutcomeMessage): AttemptResult {
  const said: AttemptResult = { outcome: report.outcome, reason: report.reason, message: report.message, report };
  const stopRequest = effectiveStop(pod, report);
  const image = report.reason === 'AgentStartTimeout' ? unpulledImage(pod, stopRequest) : null;
  if (image !== null) return stoppedResult(image, report);
  if (report.intercepted || !AMBIGUOUS_REASONS.includes(report.reason)) return said;
  if (stopRequest !== null) return stoppedResult(stopRequest, report);
  const why = disruptedWhileWorking(pod, report) ?? outOfMemoryEnd(pod, report);
  if (why !== null) return { outcome: 'Infrastructure', reason: why.reason, message: why.message, report };
  return isAgentCaused(pod, report) ? agentCausedEnd(report) : said;
}

/**
 * The operator's own stop request, unless the agent had exited before: it can be done before the kubelet shows its
 * container, and then looks like one that never started. (An agent that the stop ended is reported differently: its
 * shim received TERM.) Nor does a stop take back an outcome that claimed the run: no later attempt could bring another.
 */
function effectiveStop(pod: PodObject, report: OutcomeMessage): StopRequest | null {
  const stopRequest = stopRequestOf(pod);
  if (stopRequest === null || stopOutcome(stopRequest.reason) === 'Cancelled') return stopRequest;
  const endedItself = report.times.agentStarted !== null && report.reason === 'AgentExited';
  return endedItself || isClaimed(report) ? null : reconcileStopReason(stopRequest, report);
}

/** The recorder claims the run for every outcome that is final and whose evidence is stored. */
function isClaimed(report: OutcomeMessage): boolean {
  return report.outcome !== 'Infrastructure' && report.evidence === 'Complete';
}

const BEFORE_ARMED: readonly Reason[] = ['PodStartTimeout', 'SetupTimeout'];
const BEFORE_AGENT: readonly Reason[] = [...BEFORE_ARMED, 'AgentStartTimeout'];

/** The stop request with a reason that does not contradict how far the recorder has come in the meantime. */
function reconcileStopReason(stopRequest: StopRequest, { times }: OutcomeMessage): StopRequest {
  if (times.agentStarted !== null && BEFORE_AGENT.includes(stopRequest.reason)) {
    return {
      reason: 'InternalError',
      message: 'The operator stopped the pod before the kubelet reported that its agent was running.',
    };
  }
  if (times.armed !== null && BEFORE_ARMED.includes(stopRequest.reason)) {
    return {
      reason: 'AgentStartTimeout',
      message: 'Interception was armed late, and the pod ended before an agent started.',
    };
  }
  return stopRequest;
}

/**
 * Out of memory, if that is why the agent ended. A report that claimed the run is from an agent that survived the OOM
 * kill and exited by itself (cgroup v1). The claim cannot be taken back, so it stands.
 */
function outOfMemoryEnd(pod: PodObject, report: OutcomeMessage): PodFailure | null {
  return report.outcome === 'Infrastructure' || report.evidence !== 'Complete' ? outOfMemoryFailure(pod) : null;
}

/** Reasons that an agent can report itself, through the control API or with a signal to the shim. */
const FORGEABLE: readonly Reason[] = ['PodDeleted', 'PodFailed', 'AgentExited', 'CancelledByUser'];

/**
 * The report says that the attempt was stopped from outside, but neither the API server nor the kubelet knows of a
 * stop.
 */
function isAgentCaused(pod: PodObject, report: OutcomeMessage): boolean {
  if (report.outcome !== 'Infrastructure' && report.outcome !== 'Cancelled') return false;
  return FORGEABLE.includes(report.reason) && disruptedAt(pod) === null && disruptionFailure(pod) === null;
}

/** Upstream's fields are corrected too, because they decide what counts. */
function agentCausedEnd(report: OutcomeMessage): AttemptResult {
  const message =
    report.reason === 'AgentExited' ? report.message : 'The agent ended its own attempt; nothing else stopped the pod.';
  const words = { stopReason: 'agent_exited', resultCategory: 'model_not_intercepted' };
  const corrected = report.reason === 'AgentExited' ? report : { ...report, ...words };
  return { outcome: 'Failed', reason: 'AgentExited', message, report: corrected };
}

/** The recorder only sees that no agent started. The kubelet knows that its image could not be pulled. */
function unpulledImage(pod: PodObject, stopRequest: StopRequest | null): StopRequest | null {
  return stopRequest?.reason === 'ImagePullFailed' ? stopRequest : imagePullFailure(pod);
}

/**
 * The disruption that stopped the pod while the agent was working; null when the agent was done by then, or nothing
 * stopped the pod.
 */
function disruptedWhileWorking(pod: PodObject, report: OutcomeMessage): PodFailure | null {
  const asked = disruptedAt(pod);
  if (asked === null || (report.times.stopped ?? asked) < asked - CLOCK_SLACK_MS) return null;
  return (
    disruptionFailure(pod) ?? { reason: 'PodDeleted', message: 'The pod was deleted while the agent was working.' }
  );
}

/** Node and API server have different clocks, and the API server writes whole seconds. */
const CLOCK_SLACK_MS = 1000;
