import type { Outcome, Reason } from '../../../benchmark/outcome/outcome.ts';
import { stopReasonOf, type StopCause } from '../state-machine/stop-cause.ts';
import type { ModelOutcome } from './model-outcome.ts';

/** What is known when the outcome of an attempt is decided. */
export interface OutcomeFacts {
  readonly cause: StopCause;
  /** The blocked request's body could not be read although the task filters by it. */
  readonly bodyUnavailable: boolean;
  /** Whether a judge decides on an interception. */
  readonly judged: boolean;
  readonly evidence: 'Complete' | 'Partial' | 'None';
  /** Why the evidence is not complete; empty when it is. */
  readonly evidenceProblem: string;
  /** SIGTERM left about two seconds: uploads were cut off, they did not fail. */
  readonly podTerminating: boolean;
  /** A local session: no operator reviews the outcome. */
  readonly local: boolean;
  /** What the model gateway knows of why the agent stopped. */
  readonly modelOutcome: ModelOutcome | null;
  /** The word that the harness left in its `.stop-reason`; `unknown` when there is none. */
  readonly harnessStopReason: string;
}

export interface OutcomeDecision {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly message: string;
  /** Upstream's word. */
  readonly stopReason: string;
}

/**
 * Exactly one outcome per attempt. Order: an escape is reported whatever else happened; an infrastructure failure is
 * never the agent's; evidence that could not be stored is infrastructure too (a new attempt costs no retry), unless the
 * Pod was terminating after an interception: then the block itself is worth reporting.
 */
export function decideOutcome(facts: OutcomeFacts): OutcomeDecision {
  const { cause } = facts;
  if (cause.kind === 'escape') {
    return decision(
      facts,
      'InterceptionEscape',
      'ResponseWithoutPause',
      `A request to ${short(cause.url)} left the browser without having been paused; the gateway refused it.`,
    );
  }
  if (cause.kind === 'infrastructure') return decision(facts, 'Infrastructure', cause.reason, cause.message);
  if (facts.evidence !== 'Complete') return incomplete(facts);
  return byAgent(facts);
}

function incomplete(facts: OutcomeFacts): OutcomeDecision {
  if (facts.podTerminating && facts.cause.kind === 'intercepted') {
    const message = 'The terminal request was blocked, but the Pod was deleted before all evidence was safe.';
    return decision(facts, 'EvidenceIncomplete', 'EvidenceNotSafe', message);
  }
  if (facts.podTerminating) {
    const message = 'The Pod was deleted before all evidence was safe.';
    return decision(facts, 'Infrastructure', 'PodDeleted', message);
  }
  return decision(facts, 'Infrastructure', 'StorageFailed', `Evidence could not be stored: ${facts.evidenceProblem}`);
}

function byAgent(facts: OutcomeFacts): OutcomeDecision {
  switch (facts.cause.kind) {
    case 'intercepted':
      return intercepted(facts);
    case 'timeLimit':
      return decision(
        facts,
        'TimedOut',
        'TimeLimitExceeded',
        "The task's time limit passed without the terminal request.",
      );
    case 'budget':
      return decision(facts, 'Failed', 'BudgetExceeded', facts.cause.message);
    case 'idle':
      return (
        byModel(facts) ?? decision(facts, 'Failed', 'AgentIdle', 'The agent made no new action within the idle limit.')
      );
    case 'cancelled':
      return decision(facts, 'Cancelled', 'CancelledByUser', 'The user ended the session.');
    case 'agentExited':
      return exited(facts, facts.cause.exitCode);
    default:
      return decision(facts, 'Failed', 'AgentExited', 'A stop was requested before the terminal request.');
  }
}

/** Exit code of a command that was killed by SIGKILL. */
const KILLED = 128 + 9;

/**
 * An agent that was killed, and not by the shim: by the kernel for memory (cgroup v1 kills the agent alone), or by
 * itself. Only kubelet knows which, so the run is not claimed here; the operator compares this report with kubelet's.
 */
function exited(facts: OutcomeFacts, exitCode: number): OutcomeDecision {
  const message = `The agent exited with code ${String(exitCode)} without the terminal request.`;
  if (exitCode !== KILLED || facts.local) return byModel(facts) ?? decision(facts, 'Failed', 'AgentExited', message);
  return decision(facts, 'Infrastructure', 'AgentExited', `${message} Something killed it.`);
}

/** An agent that gave up because it had no model: it failed if its own spending was the reason, otherwise it did not. */
function byModel(facts: OutcomeFacts): OutcomeDecision | null {
  const { modelOutcome } = facts;
  if (modelOutcome === null) return null;
  return decision(facts, modelOutcome.outcome, modelOutcome.reason, modelOutcome.message);
}

function intercepted(facts: OutcomeFacts): OutcomeDecision {
  if (facts.bodyUnavailable) {
    const message = 'A request to the target was blocked, but its body, which the task filters by, could not be read.';
    return decision(facts, 'EvidenceIncomplete', 'BodyUnavailable', message);
  }
  const outcome = facts.judged ? 'JudgePending' : 'Passed';
  return decision(facts, outcome, 'Intercepted', 'The terminal request was blocked.');
}

function decision(facts: OutcomeFacts, outcome: Outcome, reason: Reason, message: string): OutcomeDecision {
  return { outcome, reason, message: message.slice(0, 300), stopReason: stopReason(facts) };
}

/** The harness may know better why it stopped (`proxy_failed`), but only the recorder says that the task was done. */
function stopReason(facts: OutcomeFacts): string {
  const { cause, harnessStopReason: word } = facts;
  const byHarness = cause.kind === 'agentExited' || cause.kind === 'stopRequested';
  return byHarness && word !== 'unknown' && word !== 'eval_matched' ? word : stopReasonOf(cause);
}

function short(url: string): string {
  return url.length > 120 ? `${url.slice(0, 119)}…` : url;
}
