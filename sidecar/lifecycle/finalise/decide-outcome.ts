import type { Outcome, Reason } from '../../../benchmark/outcome/outcome.ts';
import { stopReasonOf, type Cause } from '../state-machine/stop-cause.ts';
import type { ModelEnd } from './model-outcome.ts';

/** What is known when an attempt's class is decided. */
export interface Ending {
  readonly cause: Cause;
  /** The blocked request's body could not be read although the task filters by it. */
  readonly bodyUnavailable: boolean;
  /** Whether an interception waits for a judge. */
  readonly judged: boolean;
  readonly evidence: 'Complete' | 'Partial' | 'None';
  /** Why the evidence is not complete; empty when it is. */
  readonly evidenceProblem: string;
  /** SIGTERM left about two seconds: uploads were cut off, they did not fail. */
  readonly hurried: boolean;
  /** Nobody weighs the outcome after us: a local session. */
  readonly local: boolean;
  /** What the model gateway knows of the agent's end. */
  readonly modelEnd: ModelEnd | null;
  /** Word that the harness left in its `.stop-reason`; `unknown` when none. */
  readonly harnessStopReason: string;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly message: string;
  /** Upstream's word. */
  readonly stopReason: string;
}

/**
 * Exactly one class per attempt. Order: an escape is told whatever else happened; an infrastructure failure is never
 * the agent's; evidence that could not be stored is infrastructure too (a new attempt costs no retry), unless the Pod was
 * being torn down after an interception, where the block itself is a fact worth telling.
 */
export function decideOutcome(ending: Ending): Decision {
  const { cause } = ending;
  if (cause.kind === 'escape') {
    return decision(
      ending,
      'InterceptionEscape',
      'ResponseWithoutPause',
      `A request to ${short(cause.url)} left the browser without having been paused; the gateway refused it.`,
    );
  }
  if (cause.kind === 'infrastructure') return decision(ending, 'Infrastructure', cause.reason, cause.message);
  if (ending.evidence !== 'Complete') return incomplete(ending);
  return byAgent(ending);
}

function incomplete(ending: Ending): Decision {
  if (ending.hurried && ending.cause.kind === 'intercepted') {
    const message = 'The terminal request was blocked, but the Pod was ended before all evidence was safe.';
    return decision(ending, 'EvidenceIncomplete', 'EvidenceNotSafe', message);
  }
  if (ending.hurried) {
    const message = 'The Pod was ended before all evidence was safe.';
    return decision(ending, 'Infrastructure', 'PodDeleted', message);
  }
  return decision(ending, 'Infrastructure', 'StorageFailed', `Evidence could not be stored: ${ending.evidenceProblem}`);
}

function byAgent(ending: Ending): Decision {
  switch (ending.cause.kind) {
    case 'intercepted':
      return intercepted(ending);
    case 'timeLimit':
      return decision(
        ending,
        'TimedOut',
        'TimeLimitExceeded',
        "The task's time limit passed without the terminal request.",
      );
    case 'budget':
      return decision(ending, 'Failed', 'BudgetExceeded', ending.cause.message);
    case 'idle':
      return (
        byModel(ending) ??
        decision(ending, 'Failed', 'AgentIdle', 'No new action for as long as the idle limit allows.')
      );
    case 'cancelled':
      return decision(ending, 'Cancelled', 'CancelledByUser', 'The session was ended by its user.');
    case 'agentExited':
      return exited(ending, ending.cause.exitCode);
    default:
      return decision(ending, 'Failed', 'AgentExited', 'A stop was asked for without the terminal request.');
  }
}

/** Exit code of a command that SIGKILL ended. */
const KILLED = 128 + 9;

/**
 * An agent that was killed and not by us: out of memory (cgroup v1 kills the agent alone), or by its own hand. Only
 * kubelet knows which, so the run is not claimed here: the operator reads this report beside kubelet's word.
 */
function exited(ending: Ending, exitCode: number): Decision {
  const message = `The agent exited with code ${String(exitCode)} without the terminal request.`;
  if (exitCode !== KILLED || ending.local) return byModel(ending) ?? decision(ending, 'Failed', 'AgentExited', message);
  return decision(ending, 'Infrastructure', 'AgentExited', `${message} Something killed it.`);
}

/** An agent that gave up because it had no model: by what it spent itself it failed, by anything else it did not. */
function byModel(ending: Ending): Decision | null {
  const { modelEnd } = ending;
  if (modelEnd === null) return null;
  return decision(ending, modelEnd.outcome, modelEnd.reason, modelEnd.message);
}

function intercepted(ending: Ending): Decision {
  if (ending.bodyUnavailable) {
    const message = 'A request to the target was blocked, but its body, which the task filters by, could not be read.';
    return decision(ending, 'EvidenceIncomplete', 'BodyUnavailable', message);
  }
  const outcome = ending.judged ? 'JudgePending' : 'Passed';
  return decision(ending, outcome, 'Intercepted', 'The terminal request was blocked.');
}

function decision(ending: Ending, outcome: Outcome, reason: Reason, message: string): Decision {
  return { outcome, reason, message: message.slice(0, 300), stopReason: stopReason(ending) };
}

/** The harness may know better why it ended (`proxy_failed`), but never that the task was done: that is ours to say. */
function stopReason(ending: Ending): string {
  const { cause, harnessStopReason: word } = ending;
  const byHarness = cause.kind === 'agentExited' || cause.kind === 'stopRequested';
  return byHarness && word !== 'unknown' && word !== 'eval_matched' ? word : stopReasonOf(cause);
}

function short(url: string): string {
  return url.length > 120 ? `${url.slice(0, 119)}…` : url;
}
