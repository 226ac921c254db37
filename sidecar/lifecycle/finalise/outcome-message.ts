import { attemptPrefix } from '../../../benchmark/protocol/names.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import type { EvidenceWriter, EvidenceFacts } from '../../contracts.ts';
import type { Context } from '../context.ts';
import { reportedUsage } from '../../../benchmark/protocol/reported-usage.ts';
import { gatewayUsage } from '../../model-gateway/read-state.ts';
import type { OutcomeDecision } from './decide-outcome.ts';

export interface MessageParts {
  readonly decision: OutcomeDecision;
  readonly resultCategory: string;
  readonly evidence: OutcomeMessage['evidence'];
  /** Null: the files were never closed. */
  readonly facts: EvidenceFacts | null;
  /** Milliseconds since the epoch; null: not safe. */
  readonly evidenceSafe: number | null;
}

/** The attempt's outcome message, from what is known now. */
export function outcomeMessageOf(context: Context, parts: MessageParts): OutcomeMessage {
  const { environment, loop, held } = context;
  const { run } = environment;
  const { state } = loop;
  return {
    v: 1,
    attempt: run.attempt,
    ...parts.decision,
    // It may quote a URL or a store's answer, and is copied to the run's status.
    message: held.evidence?.redact(parts.decision.message) ?? parts.decision.message,
    resultCategory: parts.resultCategory,
    intercepted: state.cause?.kind === 'intercepted',
    evidence: parts.evidence,
    prefix: attemptPrefix(run),
    times: {
      started: state.startedAt,
      armed: state.armedAt,
      agentStarted: state.agentStartedAt,
      stopped: state.stoppedAt,
      evidenceSafe: parts.evidenceSafe,
    },
    counts: countsOf(held.evidence),
    usage: parts.facts === null ? gatewayUsage(held.modelWatch?.state ?? null) : usageOf(parts.facts),
    isolation: run.browser.isolation,
    // The agent shares the Pod's network namespace.
    agentIsolated: false,
    mailboxRemoved: false,
    claimedByAttempt: null,
  };
}

function countsOf(evidence: EvidenceWriter | undefined): OutcomeMessage['counts'] {
  const { actions, requests, screenshots, bytes } = evidence?.counts ?? NONE;
  return { actions, requests, screenshots, bytes };
}

const NONE = { actions: 0, requests: 0, screenshots: 0, bytes: 0 } as const;

/** From upstream's usage summary, whose fields may be null. */
export function usageOf(facts: EvidenceFacts | null): OutcomeMessage['usage'] {
  const usage: Readonly<Record<string, unknown>> = facts?.usage ?? {};
  return reportedUsage.parse({
    costUSD: usage['estimated_cost_usd'],
    tokens: usage['total_tokens'],
    apiCalls: facts?.apiCalls,
  });
}
