import type { Outcome } from '../../benchmark/outcome/outcome.ts';
import { idleSince } from '../lifecycle/state-machine/deadline.ts';
import type { AttemptPhase, State } from '../lifecycle/state-machine/state.ts';

/** `GET /progress`: small numbers that the operator polls; never a URL, a body or text of the task. */
export interface Progress {
  readonly v: 1;
  readonly attempt: number;
  readonly phase: AttemptPhase;
  readonly outcome: Outcome | null;
  readonly intercepted: boolean;
  readonly elapsedSeconds: number;
  readonly timeLimitSeconds: number;
  readonly actions: number;
  readonly requests: number;
  readonly screenshots: number;
  readonly evidenceBytes: number;
  readonly tokens: number;
  readonly costUSD: number | null;
  readonly apiCalls: number;
  /** Seconds since the last action row; null before the agent's start. */
  readonly lastActionAgeSeconds: number | null;
}

export interface ProgressFacts {
  readonly attempt: number;
  readonly state: State;
  readonly timeLimitSeconds: number;
  readonly outcome: Outcome | null;
  readonly counts: {
    readonly actions: number;
    readonly requests: number;
    readonly screenshots: number;
    readonly bytes: number;
  };
  readonly usage: { readonly tokens: number; readonly costUSD: number | null; readonly apiCalls: number };
}

export function progressOf({ state, counts, usage, ...facts }: ProgressFacts, now: number): Progress {
  const started = state.agentStartedAt;
  const since = idleSince(state);
  return {
    v: 1,
    attempt: facts.attempt,
    phase: state.phase,
    outcome: facts.outcome,
    intercepted: state.cause?.kind === 'intercepted',
    elapsedSeconds: started === null ? 0 : seconds((state.stoppedAt ?? now) - started),
    timeLimitSeconds: facts.timeLimitSeconds,
    actions: counts.actions,
    requests: counts.requests,
    screenshots: counts.screenshots,
    evidenceBytes: counts.bytes,
    tokens: usage.tokens,
    costUSD: usage.costUSD,
    apiCalls: usage.apiCalls,
    lastActionAgeSeconds: since === null ? null : seconds(now - since),
  };
}

function seconds(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds / 100) / 10);
}
