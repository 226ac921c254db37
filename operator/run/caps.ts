import type { GatewayCaps } from '../../benchmark/protocol/model-gateway.ts';
import type { ClawBenchBatchSpec } from '../../crds/batch.ts';
import type { Spending } from '../progress/usage-sum.ts';

/**
 * A run's caps apply to all its attempts together: a retry gets what is left. Only an infrastructure failure leads to a
 * retry, and what it used up is not the agent's fault. So an attempt that reaches what was left has not failed (the
 * recorder decides that, because it completes the bundle), and no attempt is started when nothing is left.
 */

type Budget = ClawBenchBatchSpec['budget'];

/** What the next attempt may spend. */
export function capsLeft(budget: Budget, spent: Spending = {}): GatewayCaps {
  const left = (cap: number | null, used: number | null | undefined): number | null =>
    cap === null ? null : Math.max(0, cap - (used ?? 0));
  const { tokens, costUSD, calls } = capsOf(budget);
  const cost = left(costUSD, spent.costUSD);
  return {
    tokens: left(tokens, spent.tokens),
    costUSD: cost === null ? null : Number(cost.toFixed(6)),
    calls: left(calls, spent.apiCalls),
  };
}

/** The caps of the run, if earlier attempts used up some of them; null: the next attempt has them in full. */
export function capsInFull(budget: Budget, spent: Spending = {}): GatewayCaps | null {
  const whole = capsOf(budget);
  const left = capsLeft(budget, spent);
  return CAPS.some((cap) => left[cap] !== whole[cap]) ? whole : null;
}

/** The cap that earlier attempts exhausted, in words; null: something is left of each. */
export function exhaustedCap(budget: Budget, spent: Spending = {}): string | null {
  const whole = capsOf(budget);
  const left = capsLeft(budget, spent);
  const gone = CAPS.find((cap) => left[cap] === 0 && whole[cap] !== 0);
  return gone === undefined ? null : CAP_NAMES[gone];
}

const CAPS = ['costUSD', 'tokens', 'calls'] as const;
const CAP_NAMES = { costUSD: 'cost', tokens: 'tokens', calls: 'calls' } as const;

function capsOf(budget: Budget): GatewayCaps {
  const { perRunCostUSD = null, perRunTokens = null, perRunCalls = null } = budget ?? {};
  return {
    tokens: perRunTokens,
    costUSD: perRunCostUSD === null ? null : wholeMicros(perRunCostUSD),
    calls: perRunCalls,
  };
}

/**
 * Rounded up to a millionth. Usage is counted in millionths, so a cap is reached by the same call with either number.
 */
function wholeMicros(cost: number): number {
  const near = Number(cost.toFixed(6));
  return near >= cost ? near : Number((near + 1e-6).toFixed(6));
}
