import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';
import type { GatewayCaps, GatewayState, CallRefusal } from '../../benchmark/protocol/model-gateway.ts';
import type { CallUsage } from '../../benchmark/usage/answer.ts';
import { usageRow, type UsageRow } from '../../benchmark/usage/usage-row.ts';
import { boundedCount, boundedUSD, MAX_TOKENS } from '../../benchmark/usage/bounds.ts';
import { normalizeUsage, type TokenUsage } from '../../benchmark/usage/normalize.ts';
import { costOf, matchModelId, type PriceList } from '../../benchmark/usage/price.ts';
import { capReached, type CapReached } from './caps.ts';

/** A row of `model-calls.jsonl`: no content, no header, no key. */
export interface CallRow {
  readonly at: string;
  readonly endpoint: string;
  readonly model: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  /** Index of the key in models.yaml. */
  readonly key: number | null;
  readonly usage: 'Exact' | 'Estimated' | 'None';
  readonly tokens: number;
  readonly costUSD: number | null;
  readonly result: ProviderFailure | CallRefusal | 'Ok' | 'ClientGone';
}

export interface EndedCall {
  readonly model: string | null;
  /** The usage that the provider reported; null: none. */
  readonly reported: CallUsage | null;
  /** Cut off before its end, so the reported usage may be too low. */
  readonly cut: boolean;
  /** The provider answered, even if the client hung up before the end. */
  readonly success: boolean;
  readonly promptCharacters: number;
  readonly answerCharacters: number;
  readonly at: number;
}

export interface Bill {
  readonly usage: TokenUsage;
  readonly costUSD: number | null;
  readonly source: 'Exact' | 'Estimated';
  /** For `usage.jsonl`. */
  readonly row: UsageRow;
}

/** The totals of one run. */
export interface Ledger {
  /** Opens the next call; an opened call is closed once. @returns the cap that refuses it, or null. */
  open(): CapReached | null;
  close(): void;
  /** A call ended that the provider bills: it answered with success, or the client hung up before it could. */
  ended(call: EndedCall): Bill;
  /** A call failed. */
  failed(kind: ProviderFailure, status: number, at: number): void;
  refused(reason: CallRefusal): void;
  readonly state: GatewayState;
}

export interface LedgerOptions {
  readonly harness: string;
  /** The configured model. */
  readonly model: string;
  readonly caps: GatewayCaps;
  readonly prices: PriceList;
}

/** A usual ratio for English; only used where the provider reports no usage. */
const CHARACTERS_PER_TOKEN = 4;

export function openLedger(options: LedgerOptions): Ledger {
  const state = emptyState();
  return {
    open: () => {
      const spent = { calls: state.calls + state.inFlight, tokens: state.tokens, costUSD: state.costUSD };
      const reached = capReached(spent, options.caps);
      if (reached === null) state.inFlight += 1;
      return reached;
    },
    close: () => {
      state.inFlight -= 1;
    },
    ended: (call) => {
      const bill = billOf(call, options, state.calls + 1);
      state.calls += 1;
      state.tokens = boundedCount(state.tokens + bill.usage.total_tokens, MAX_TOKENS);
      state.costUSD = sumUSD(state.costUSD, bill.costUSD);
      if (bill.source === 'Estimated') state.estimated += 1;
      if (call.success) state.lastSuccessAt = call.at;
      return bill;
    },
    failed: (kind, status, at) => {
      state.failures[kind] = (state.failures[kind] ?? 0) + 1;
      state.lastFailure = { kind, status, at };
    },
    refused: (reason) => {
      state.refusals[reason] = (state.refusals[reason] ?? 0) + 1;
    },
    get state() {
      return structuredClone(state);
    },
  };
}

function emptyState(): GatewayState {
  return {
    v: 1,
    calls: 0,
    inFlight: 0,
    tokens: 0,
    costUSD: 0,
    estimated: 0,
    failures: {},
    refusals: {},
    lastFailure: null,
    lastSuccessAt: null,
  };
}

function billOf(call: EndedCall, options: LedgerOptions, number: number): Bill {
  const whole = wholeAnswer(call);
  const usage = whole?.usage ?? estimated(call);
  const model = call.model ?? call.reported?.model ?? options.model;
  const matched = matchModelId([model], [...options.prices.keys()]);
  const costUSD = whole?.costUSD ?? costOf(usage, options.prices.get(matched ?? ''));
  const callId = callIdOf(call, number);
  const timestamp = new Date(call.at).toISOString();
  const row = usageRow({ harness: options.harness, callId, timestamp, model, usage, matched, costUSD });
  return { usage, costUSD, source: whole === null ? 'Estimated' : 'Exact', row };
}

function callIdOf({ reported }: EndedCall, number: number): string {
  const id = reported?.id ?? null;
  return `gateway:${String(number)}${id === null ? '' : `:${id}`}`;
}

/** What the provider reported of a call that was not cut off. */
function wholeAnswer({ reported, cut }: EndedCall): CallUsage | null {
  return reported === null || cut || reported.usage.total_tokens === 0 ? null : reported;
}

/** Never less than what the provider reported before the answer was cut off. */
function estimated({ reported, promptCharacters, answerCharacters }: EndedCall): TokenUsage {
  const prompt = Math.ceil(promptCharacters / CHARACTERS_PER_TOKEN);
  const answer = Math.ceil(answerCharacters / CHARACTERS_PER_TOKEN);
  const before = reported?.usage;
  const reportedInput =
    before === undefined ? 0 : before.input_tokens + before.cache_read_tokens + before.cache_write_tokens;
  if (before === undefined || reportedInput === 0) return normalizeUsage({ input: prompt, output: answer });
  return normalizeUsage({
    input: before.input_tokens,
    cacheRead: before.cache_read_tokens,
    cacheWrite: before.cache_write_tokens,
    output: Math.max(before.output_tokens, answer),
    reasoning: before.reasoning_tokens,
  });
}

/** Rounded to millionths, so that a thousand calls do not drift. */
function sumUSD(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : boundedUSD(Math.round((sum + more) * 1e6) / 1e6);
}
