import { costOf, matchModelId, type PriceList } from './price.ts';
import { transcriptCalls, type TranscriptCall } from './transcript.ts';
import { usageRow, type UsageRow } from './usage-row.ts';

export interface EmitOptions {
  readonly harness: string;
  /** The configured model, for rows that name none. */
  readonly model: string;
  readonly prices: PriceList;
  /** Time stamp of rows that have none. */
  readonly now: string | number;
}

/**
 * Usage rows of a whole transcript (see `transcript.ts` for what counts). A row without any id is named by its place in
 * the file, not by the clock as upstream's (U2).
 */
export function emitUsage(events: readonly unknown[], options: EmitOptions): UsageRow[] {
  return transcriptCalls(events).map((call) => toRow(call, options));
}

function toRow(call: TranscriptCall, options: EmitOptions): UsageRow {
  const model = call.model ?? options.model;
  const matched = matchModelId([model, options.model], [...options.prices.keys()]);
  const costUSD = matched === null ? null : costOf(call.usage, options.prices.get(matched));
  const callId = namedBy(call, model) ?? `${options.harness}:${model}:line-${String(call.index + 1)}`;
  const timestamp = call.timestamp ?? options.now;
  return usageRow({ harness: options.harness, callId, timestamp, model, usage: call.usage, matched, costUSD });
}

/** An id that is only a moment carries the model before it. */
function namedBy({ id }: TranscriptCall, model: string): string | null {
  return id?.startsWith(':') === true ? `${model}${id}` : id;
}
