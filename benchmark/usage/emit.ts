import { isObject } from '../json.ts';
import { normalizeUsage, type TokenUsage } from './normalize.ts';
import { costOf, matchModelId, PRICING_SOURCE_URL, type PriceList } from './price.ts';

/** A row of `usage.jsonl` (upstream.md 6.4): one model call. */
export interface UsageRow {
  readonly type: 'usage';
  readonly source_harness: string;
  readonly call_id: string;
  readonly timestamp: unknown;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly total_tokens: number;
  readonly estimated_cost_usd: number | null;
  readonly cost_status: 'estimated' | 'price_unavailable';
  readonly pricing_source_url: string;
  readonly matched_model_id: string | null;
}

export interface EmitOptions {
  readonly harness: string;
  /** The configured model, for rows that name none. */
  readonly model: string;
  readonly prices: PriceList;
  /** Time stamp of rows that have none. */
  readonly now: string | number;
}

type Row = Record<string, unknown>;
interface Found {
  readonly usage: TokenUsage;
  readonly owner: Row;
}

/**
 * Usage rows of a whole transcript. Unlike upstream's: of several rows of one call the largest counts (streams begin
 * with a partial one, U1), a closing `result` row that sums up the session is no call, and a row without any id is
 * named by its place in the file, not by the clock (U2).
 */
export function emitUsage(events: readonly unknown[], options: EmitOptions): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  let anyMessage = false;
  for (const [index, event] of events.entries()) {
    if (!isObject(event) || (event['type'] === 'result' && anyMessage)) continue;
    for (const found of findUsage(event)) {
      const row = toRow(event, found, index, options);
      anyMessage ||= row.call_id.startsWith('message:');
      const before = rows.get(row.call_id);
      if (before === undefined || row.total_tokens > before.total_tokens) rows.set(row.call_id, row);
    }
  }
  return [...rows.values()];
}

function findUsage(event: Row): Found[] {
  const inMessage = ['message', 'part'].flatMap((key) =>
    inside(event, key, key === 'part' ? ['usage', 'tokens'] : ['usage']),
  );
  const inMetadata = inside(event, 'metadata', ['usage', 'usage_metadata', 'token_usage']);
  const candidates: (readonly [unknown, Row])[] = [
    [event['usage'], event],
    ...inMessage,
    ...inMetadata,
    ...inside(event, 'response_metadata', ['token_usage']),
    ...(event['type'] === 'session_meta' ? [[event, event] as const] : []),
    ...codexTokenCount(event),
  ];
  return candidates
    .filter(([usage]) => isObject(usage))
    .map(([usage, owner]) => ({ usage: normalizeUsage(usage), owner }))
    .filter(({ usage }) => usage.total_tokens > 0);
}

function inside(event: Row, key: string, names: readonly string[]): (readonly [unknown, Row])[] {
  const owner = event[key];
  return isObject(owner) ? names.map((name) => [owner[name], owner] as const) : [];
}

/** Codex rollouts: usage of the last turn stands below `payload.info`; upstream does not read it. */
function codexTokenCount(event: Row): (readonly [unknown, Row])[] {
  const payload = event['payload'];
  const info = isObject(payload) && payload['type'] === 'token_count' ? payload['info'] : null;
  return isObject(info) ? [[info['last_token_usage'], {}]] : [];
}

function toRow(event: Row, { usage, owner }: Found, index: number, options: EmitOptions): UsageRow {
  const model = modelOf(owner) ?? modelOf(event) ?? options.model;
  const matched = matchModelId([model, options.model], [...options.prices.keys()]);
  const cost = matched === null ? null : costOf(usage, options.prices.get(matched));
  const { reported_total_tokens: _reported, ...tokens } = usage;
  return {
    type: 'usage',
    source_harness: options.harness,
    call_id: callId(event, owner, model) ?? `${options.harness}:${model}:line-${String(index + 1)}`,
    timestamp: event['timestamp'] ?? owner['timestamp'] ?? options.now,
    model,
    ...tokens,
    estimated_cost_usd: cost,
    cost_status: cost === null ? 'price_unavailable' : 'estimated',
    pricing_source_url: PRICING_SOURCE_URL,
    matched_model_id: matched,
  };
}

function callId(event: Row, owner: Row, model: string): string | null {
  const options: readonly (readonly [string, unknown])[] = [
    ['message', owner['id'] ?? owner['message_id']],
    ['response', owner['responseId'] ?? owner['response_id']],
    ['event', event['id']],
    ['uuid', event['uuid']],
    [model, owner['timestamp'] ?? event['timestamp']],
  ];
  const found = options.find(([, id]) => typeof id === 'string' || typeof id === 'number');
  return found === undefined ? null : `${found[0]}:${String(found[1])}`;
}

function modelOf(row: Row): string | null {
  const name = row['model'] ?? row['model_id'] ?? row['modelId'];
  return typeof name === 'string' && name !== '' ? name.replace(/^openrouter\//, '') : null;
}
