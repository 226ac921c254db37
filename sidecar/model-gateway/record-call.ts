import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';
import { CALL_REFUSALS, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import type { Bill, CallRow, EndedCall } from './ledger.ts';
import type { GatewayParts, ModelCall } from './model-call.ts';
import type { ReportedUsage } from './usage-tap.ts';

/** What becomes of a call in the ledger, in `model-calls.jsonl` and in `usage.jsonl`. */

/** Counts a failure of the provider. A call that costs nothing says nothing about the model: many providers list no models. */
export function recordFailure(parts: GatewayParts, call: ModelCall, kind: ProviderFailure, status: number): void {
  if (call.endpoint.billed !== null) parts.ledger.failed(kind, status, parts.now());
}

type CallEnd = Pick<EndedCall, 'cut' | 'success'>;
export const NOTHING_REPORTED: ReportedUsage = { call: null, characters: 0, answer: null };
/** The client hung up before the answer began. */
export const CLIENT_LEFT: CallEnd = { cut: true, success: false };

/** Adds a call to the run's totals. */
export function recordBill(parts: GatewayParts, call: ModelCall, reported: ReportedUsage, end: CallEnd): Bill {
  return parts.ledger.ended({
    model: call.body.model,
    reported: reported.call,
    ...end,
    promptCharacters: call.body.characters,
    answerCharacters: reported.characters,
    at: parts.now(),
  });
}

export interface CallResult {
  readonly status: number;
  readonly result: CallRow['result'];
  readonly key?: number;
  readonly firstByteMs?: number | null;
  readonly bill?: Bill | null;
}

const NO_BILL = { source: 'None', usage: { total_tokens: 0 }, costUSD: null, row: null } as const;

/** Writes the call's rows, and the totals after it. */
export function recordCall(parts: GatewayParts, call: ModelCall, outcome: CallResult): void {
  const { status, result, key = null, firstByteMs = null } = outcome;
  const bill = outcome.bill ?? NO_BILL;
  const row: CallRow = {
    at: new Date(call.started).toISOString(),
    endpoint: call.path,
    model: call.body.model,
    status,
    durationMs: parts.now() - call.started,
    firstByteMs,
    key,
    usage: bill.source,
    tokens: bill.usage.total_tokens,
    costUSD: bill.costUSD,
    result,
  };
  parts.files.write(row, bill.row, stateAfter(parts, call, result));
}

/** The totals once this call is not in flight any more; a refused call never was. */
function stateAfter({ ledger }: GatewayParts, call: ModelCall, result: CallRow['result']): GatewayState {
  const { state } = ledger;
  const wasOpen = call.endpoint.billed !== null && !(CALL_REFUSALS as readonly string[]).includes(result);
  return wasOpen ? { ...state, inFlight: state.inFlight - 1 } : state;
}
