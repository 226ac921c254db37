import type { MatchableHead, Target } from '../../../benchmark/request/predicate.ts';
import type { InterceptionPhase } from '../phase.ts';

/**
 * Decides about a paused request by URL and method alone. Pure, and called first: nothing slow may come before it, since
 * every tab waits while a request is held.
 */
export type HeadDecision =
  /** Continued unchanged: a rebuilt request is no longer the agent's. */
  | { readonly action: 'continue' }
  /** Blocked, without counting as the agent's commit. */
  | { readonly action: 'fail'; readonly why: 'self-test' | 'file' | 'not-armed' | 'frozen' | 'after-match' }
  /** URL, method and query match, and the task has no body filter: blocked now, reported when the rest is read. */
  | { readonly action: 'match' }
  /** URL, method and query match; the task's body filter decides. */
  | { readonly action: 'need-body' };

export interface DecisionInput {
  readonly phase: InterceptionPhase;
  readonly target: Target;
  /** URLs of the self-test: one that must be blocked, one that must reach the gateway. */
  readonly selfTest: { readonly blocked: string; readonly passed: string };
}

/** Schemes that the browser serves itself, without a network. */
const INTERNAL = /^(?:about|blob|data|chrome|chrome-untrusted|chrome-extension|chrome-search|devtools|chrome-error):/i;

export function decideHead(input: DecisionInput, head: MatchableHead): HeadDecision {
  if (head.url === input.selfTest.blocked) return { action: 'fail', why: 'self-test' };
  if (!head.url.startsWith('http')) {
    if (/^file:/i.test(head.url)) return { action: 'fail', why: 'file' };
    if (INTERNAL.test(head.url)) return { action: 'continue' };
  }
  if (input.phase === 'starting') return starting(input, head);
  if (input.phase === 'matched') return { action: 'fail', why: 'after-match' };
  if (input.phase !== 'armed') return { action: 'fail', why: 'frozen' };
  if (!input.target.matchesHead(head)) return { action: 'continue' };
  return input.target.needsBody ? { action: 'need-body' } : { action: 'match' };
}

/** Before the run is armed, only the self-test's second request continues, and only as far as the gateway. */
function starting(input: DecisionInput, head: MatchableHead): HeadDecision {
  return head.url === input.selfTest.passed ? { action: 'continue' } : { action: 'fail', why: 'not-armed' };
}
