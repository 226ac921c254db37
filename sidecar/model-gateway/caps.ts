import type { GatewayCaps, CallRefusal } from '../../benchmark/protocol/model-gateway.ts';

export interface GatewayTotals {
  readonly calls: number;
  readonly tokens: number;
  /** Null as soon as one call has no price. */
  readonly costUSD: number | null;
}

export interface CapReached {
  readonly reason: CallRefusal;
  /** One sentence for the agent's log. */
  readonly message: string;
}

/**
 * The cap that refuses the next call; null: none. A cap is exceeded by one call at most: a call's cost is known only at
 * its end, and calls run one after the other where a cap depends on it ({@link callsInTurn}). A cost cap without prices
 * would limit nothing, so calls are refused after the first one without a price.
 */
export function capReached(spent: GatewayTotals, caps: GatewayCaps): CapReached | null {
  if (caps.calls !== null && spent.calls >= caps.calls)
    return { reason: 'CallCap', message: `this run has made its ${String(caps.calls)} model calls` };
  if (caps.tokens !== null && spent.tokens >= caps.tokens)
    return {
      reason: 'TokenCap',
      message: `this run has used ${String(spent.tokens)} of its ${String(caps.tokens)} tokens`,
    };
  if (caps.costUSD === null) return null;
  if (spent.costUSD === null)
    return {
      reason: 'PriceUnknown',
      message: 'this run has a cost cap, but a call has no price; add the price to prices.yaml',
    };
  if (spent.costUSD < caps.costUSD) return null;
  return {
    reason: 'CostCap',
    message: `this run has cost ${String(spent.costUSD)} of its ${String(caps.costUSD)} USD`,
  };
}

/** Whether calls must wait for each other. */
export function callsInTurn(caps: GatewayCaps): boolean {
  return caps.tokens !== null || caps.costUSD !== null;
}
