import type { MatchableHead, Target } from '../../../benchmark/request/predicate.ts';
import type { InterceptionPhase } from '../phase.ts';

/**
 * What happens to a paused request, from its head alone. Pure and first: nothing slow stands before it, since every
 * tab waits while a request is held.
 */
export type HeadDecision =
  /** Untouched: a rebuilt request is no longer the agent's. */
  | { readonly action: 'continue' }
  /** Blocked, and not the agent's commit. */
  | { readonly action: 'fail'; readonly why: 'self-test' | 'file' | 'not-armed' | 'frozen' | 'after-match' }
  /** URL, method and query fit, and nothing else is asked: blocked now, reported when the rest is read. */
  | { readonly action: 'match' }
  /** The head fits and a body filter has the last word. */
  | { readonly action: 'need-body' };

export interface DecisionInput {
  readonly phase: InterceptionPhase;
  readonly target: Target;
  /** URLs of the self-test: one to be blocked, one to be let through to the gateway. */
  readonly selfTest: { readonly blocked: string; readonly passed: string };
}

/** Schemes that the browser answers by itself; no network stands behind them. */
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

/** Before the run is armed only the self-test's second request moves, and only as far as the gateway. */
function starting(input: DecisionInput, head: MatchableHead): HeadDecision {
  return head.url === input.selfTest.passed ? { action: 'continue' } : { action: 'fail', why: 'not-armed' };
}
