import { outcomeMessage, type OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { Outcome, Reason } from '../../benchmark/outcome/outcome.ts';
import {
  allStatuses,
  containerStatus,
  disruptedAt,
  startedAt,
  type ContainerStatus,
  type PodObject,
  type Terminated,
} from './pod-status.ts';
import { imagePullFailure, pendingReason, type PendingReason } from './pending-reason.ts';
import { disruption, outOfMemory, podFailure, type PodFailure } from './failure-reason.ts';
import { stopRequestOf, type StopRequest } from './stop-annotations.ts';

/** What one attempt came to. `report` is what recorder or shim said; null when neither could. */
export interface AttemptResult {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly message: string;
  readonly report: OutcomeMessage | null;
}

/**
 * What a pod tells about its attempt now. `released` is whether the pod can no longer act: only then may a next attempt
 * start, or two agents would work at once.
 */
export type AttemptState =
  | { readonly state: 'Pending'; readonly why: PendingReason }
  | { readonly state: 'Starting'; readonly recorderStartedAt: number; readonly harnessStarted: false }
  | { readonly state: 'Running'; readonly recorderStartedAt: number; readonly harnessStartedAt: number }
  | { readonly state: 'Ended'; readonly result: AttemptResult; readonly released: boolean };

/**
 * From container states and termination messages, never from the pod's phase alone: the phase comes about two seconds
 * later and knows only Failed and Succeeded, which are not our words. `null` is a pod that is gone from the server.
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

/** Whether the pod is not over, or not known to be. */
export function mayAct(pod: PodObject): boolean {
  const view = attemptState(pod);
  return view.state !== 'Ended' || !view.released;
}

/** The result of an attempt whose pod object is gone. */
export function podGoneResult(): AttemptResult {
  return infrastructure('PodDeleted', 'The pod was deleted before it reported an outcome.');
}

function infrastructure(reason: Reason, message: string): AttemptResult {
  return { outcome: 'Infrastructure', reason, message, report: null };
}

/**
 * The harness's message, or the recorder's (current or first life); the first that can be read. The shim exits with 0
 * once it has written its message over whatever lay there; with another code it did not, and the file is the agent's
 * to write (who can end a Go program by SIGQUIT).
 */
function reportOf(pod: PodObject): OutcomeMessage | null {
  const recorder = containerStatus(pod, 'recorder');
  for (const end of [shimTermination(pod), recorder?.state?.terminated, recorder?.lastState?.terminated]) {
    const message = parseReport(end?.message);
    if (message !== null) return message;
  }
  return null;
}

function shimTermination(pod: PodObject): Terminated | undefined {
  const end = containerStatus(pod, 'harness')?.state?.terminated;
  return end?.exitCode === 0 ? end : undefined;
}

function parseReport(text: string | undefined): OutcomeMessage | null {
  if (text === undefined || !text.startsWith('{')) return null;
  try {
    const parsed = outcomeMessage.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // cut by kubelet: the containers' states decide
  }
}

/**
 * Kubelet never reports a final phase while a container may still run; without a final phase, the main container and
 * every sidecar must be down (a sidecar alone would be restarted).
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

/** The result of an attempt that the operator ended itself. */
export function stoppedResult(stopRequest: StopRequest, report: OutcomeMessage | null): AttemptResult {
  return { outcome: stopOutcome(stopRequest.reason), reason: stopRequest.reason, message: stopRequest.message, report };
}

function stopOutcome(reason: Reason): Outcome {
  return reason === 'CancelledByUser' || reason === 'BudgetExceeded' ? 'Cancelled' : 'Infrastructure';
}

/** What the recorder says when all it knows is that it was told to go; the operator or the cluster knows why. */
const AMBIGUOUS_REASONS: readonly Reason[] = [
  'PodDeleted',
  'PodFailed',
  'InternalError',
  'AgentExited',
  'CancelledByUser',
];

/**
 * A report stands, but for an attempt that ended before anything was intercepted in a way that the recorder cannot see
 * through. It may have been ended from outside: a drained node must not count as a failed agent. And where nobody ended
 * it, a report of such an end is the agent's own doing: it shares the pod's loopback and can say so itself.
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
 * The operator's own stop, unless the agent had ended by itself: it can be over before kubelet shows its container, and
 * then looks like one that never started. An agent that the stop ended is reported in other words (the shim had TERM).
 * Nor does it take back what the run was claimed for: no later attempt could bring another outcome.
 */
function effectiveStop(pod: PodObject, report: OutcomeMessage): StopRequest | null {
  const stopRequest = stopRequestOf(pod);
  if (stopRequest === null || stopOutcome(stopRequest.reason) === 'Cancelled') return stopRequest;
  const endedItself = report.times.agentStarted !== null && report.reason === 'AgentExited';
  return endedItself || isClaimed(report) ? null : reconcileStopReason(stopRequest, report);
}

/** The recorder claims the run for every outcome that stands and whose evidence is safe. */
function isClaimed(report: OutcomeMessage): boolean {
  return report.outcome !== 'Infrastructure' && report.evidence === 'Complete';
}

const BEFORE_ARMED: readonly Reason[] = ['PodStartTimeout', 'SetupTimeout'];
const BEFORE_AGENT: readonly Reason[] = [...BEFORE_ARMED, 'AgentStartTimeout'];

/** The stop in words that do not contradict how far the recorder came meanwhile. */
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
 * Out of memory, if the agent died of it. A claimed report is of an agent that outlived what the kernel killed and ended
 * by itself (cgroup v1): the claim cannot be taken back, so it stands.
 */
function outOfMemoryEnd(pod: PodObject, report: OutcomeMessage): PodFailure | null {
  return report.outcome === 'Infrastructure' || report.evidence !== 'Complete' ? outOfMemory(pod) : null;
}

/** Ends that an agent can claim for itself by the control API or a signal to the shim. */
const FORGEABLE: readonly Reason[] = ['PodDeleted', 'PodFailed', 'AgentExited', 'CancelledByUser'];

/** An end from outside is reported, and neither API server nor kubelet knows of any. */
function isAgentCaused(pod: PodObject, report: OutcomeMessage): boolean {
  if (report.outcome !== 'Infrastructure' && report.outcome !== 'Cancelled') return false;
  return FORGEABLE.includes(report.reason) && disruptedAt(pod) === null && disruption(pod) === null;
}

/** Upstream's words are corrected with ours, for they decide what counts. */
function agentCausedEnd(report: OutcomeMessage): AttemptResult {
  const message =
    report.reason === 'AgentExited' ? report.message : 'The agent ended its own attempt; nothing else stopped the pod.';
  const words = { stopReason: 'agent_exited', resultCategory: 'model_not_intercepted' };
  const corrected = report.reason === 'AgentExited' ? report : { ...report, ...words };
  return { outcome: 'Failed', reason: 'AgentExited', message, report: corrected };
}

/** The recorder sees only that no agent came; kubelet knows that its image could not be pulled. */
function unpulledImage(pod: PodObject, stopRequest: StopRequest | null): StopRequest | null {
  return stopRequest?.reason === 'ImagePullFailed' ? stopRequest : imagePullFailure(pod);
}

/** Somebody ended the pod while the agent worked; null when the agent was done by then, or nobody did. */
function disruptedWhileWorking(pod: PodObject, report: OutcomeMessage): PodFailure | null {
  const asked = disruptedAt(pod);
  if (asked === null || (report.times.stopped ?? asked) < asked - CLOCK_SLACK_MS) return null;
  return disruption(pod) ?? { reason: 'PodDeleted', message: 'The pod was deleted while the agent was working.' };
}

/** Node and API server are two clocks, and the API server writes whole seconds. */
const CLOCK_SLACK_MS = 1000;
