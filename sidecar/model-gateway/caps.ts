import type { GatewayCaps, Refusal } from '../../benchmark/protocol/model-gateway.ts';

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  /** Null as soon as one call has no price. */
  readonly costUSD: number | null;
}

export interface CapReached {
  readonly reason: Refusal;
  /** One sentence for the agent's log. */
  readonly message: string;
}

/**
 * Whether the next call is refused. A cap is overshot by one call at most: its bill is known only at its end, and calls
 * go one after the other where a cap depends on it ({@link callsInTurn}). A cost cap without prices would cap nothing,
 * so it stops after the first call that has none.
 */
export function capReached(spent: Spent, caps: GatewayCaps): CapReached | null {
  if (caps.calls !== null && spent.calls >= caps.calls)
    return { reason: 'CallCap', message: `this run may make ${String(caps.calls)} model calls and has made them` };
  if (caps.tokens !== null && spent.tokens >= caps.tokens)
    return {
      reason: 'TokenCap',
      message: `this run may use ${String(caps.tokens)} tokens and has used ${String(spent.tokens)}`,
    };
  if (caps.costUSD === null) return null;
  if (spent.costUSD === null)
    return {
      reason: 'PriceUnknown',
      message: 'this run has a cost cap, and a call has no price; add it to prices.yaml',
    };
  if (spent.costUSD < caps.costUSD) return null;
  return {
    reason: 'CostCap',
    message: `this run may cost ${String(caps.costUSD)} USD and has cost ${String(spent.costUSD)}`,
  };
}

/** Whether calls must wait for each other. */
export function callsInTurn(caps: GatewayCaps): boolean {
  return caps.tokens !== null || caps.costUSD !== null;
}
