import type { StopReason } from './stop-reason.ts';

/**
 * When an agent must be stopped. Upstream polls every 5 s, so it stops up to 5 s late and adds a poll to the idle time; here the
 * recorder acts at the deadline itself. Stop reasons and their precedence are upstream's: a match comes before everything
 * else, an agent that has exited before the time limit.
 */
export interface WatchdogFacts {
  /** When the agent was started. All times are milliseconds of one clock. */
  readonly startedAt: number;
  /** Time of the last action row; null: there was none, and idle time is not measured (every run begins with a `pageLoad` row). */
  readonly lastActionAt: number | null;
  readonly matched: boolean;
  readonly agentExitedAt: number | null;
  readonly timeLimitMs: number;
  /** Upstream: 300 s. */
  readonly idleLimitMs: number;
  /** See {@link EXIT_GRACE_MS}. */
  readonly exitGraceMs?: number;
}

/**
 * An agent that clicks "submit" and exits at once has not failed: the page needs a moment to send the request. Upstream's
 * polling gives it up to 5 s by accident.
 */
export const EXIT_GRACE_MS = 1000;

export type WatchdogDecision =
  | { readonly stop: true; readonly reason: StopReason }
  /** No deadline before `checkAt` (same clock) unless a fact changes. */
  | { readonly stop: false; readonly checkAt: number };

/** The decision at `now`. Call it when a fact changes and at `checkAt`. */
export function watchdog(facts: WatchdogFacts, now: number): WatchdogDecision {
  if (facts.matched) return { stop: true, reason: 'eval_matched' };
  const deadlines: readonly (readonly [StopReason, number])[] = [
    ['agent_exited', exitDeadline(facts)],
    ['time_limit_exceeded', facts.agentExitedAt === null ? facts.startedAt + facts.timeLimitMs : Infinity],
    ['agent_idle', idleDeadline(facts)],
  ];
  const due = deadlines.find(([, at]) => now >= at);
  if (due !== undefined) return { stop: true, reason: due[0] };
  return { stop: false, checkAt: Math.min(...deadlines.map(([, at]) => at)) };
}

function exitDeadline(facts: WatchdogFacts): number {
  return facts.agentExitedAt === null ? Infinity : facts.agentExitedAt + (facts.exitGraceMs ?? EXIT_GRACE_MS);
}

/** Rows from before the agent started (the start page's `pageLoad`) do not shorten its first idle period. */
function idleDeadline(facts: WatchdogFacts): number {
  if (facts.lastActionAt === null || facts.agentExitedAt !== null) return Infinity;
  return Math.max(facts.startedAt, facts.lastActionAt) + facts.idleLimitMs;
}
