import { isObject } from '../text/json.ts';
import { normalizeUsage, type TokenUsage } from './normalize.ts';
import { subtractUsage, addUsage, addSurplus } from './token-sum.ts';

/**
 * The model calls in a harness's transcript (nine formats). Such files contain three kinds of numbers, and upstream's
 * miscounts (U1, U2) come from confusing them:
 * - a call's own usage, often repeated while the call streams: the largest one per ID counts;
 * - a running total (Codex): each row counts by its difference from the one before;
 * - a closing total of the session (Claude's `result`, `session_meta`): not a call; the amount by which it exceeds the calls is
 *   added to the last call, because streams of Claude Code show only the first partial output of each message.
 */
export interface TranscriptCall {
  readonly usage: TokenUsage;
  /** Null: only its index identifies the call. */
  readonly id: string | null;
  /** Index of its row, from 0. */
  readonly index: number;
  readonly model: string | null;
  readonly timestamp: unknown;
}

type Row = Record<string, unknown>;

/** The calls of a whole transcript, in order. Rows that are not objects are skipped; the same file always gives the same calls. */
export function transcriptCalls(events: readonly unknown[]): TranscriptCall[] {
  const calls = new Map<string, TranscriptCall>();
  let running: TokenUsage | null = null;
  let closing: TranscriptCall | null = null;
  for (const [index, event] of events.entries()) {
    if (!isObject(event)) continue;
    const total = runningTotal(event);
    if (total !== null) {
      keepLargest(calls, callOf(event, {}, running === null ? total : subtractUsage(total, running), index));
      running = total;
      continue;
    }
    const sum = closingTotal(event);
    if (sum !== null) closing = larger(closing, callOf(event, event, sum, index));
    else for (const [usage, owner] of ownUsage(event)) keepLargest(calls, callOf(event, owner, usage, index));
  }
  return withClosing([...calls.values()], closing);
}

function keepLargest(calls: Map<string, TranscriptCall>, call: TranscriptCall): void {
  if (call.usage.total_tokens === 0) return;
  const key = call.id ?? `#${String(call.index)}`;
  const before = calls.get(key);
  if (before === undefined || call.usage.total_tokens > before.usage.total_tokens) calls.set(key, call);
}

function larger(before: TranscriptCall | null, call: TranscriptCall): TranscriptCall | null {
  if (call.usage.total_tokens === 0) return before;
  return before === null || call.usage.total_tokens > before.usage.total_tokens ? call : before;
}

function withClosing(calls: TranscriptCall[], closing: TranscriptCall | null): TranscriptCall[] {
  const last = calls.at(-1);
  if (closing === null) return calls;
  if (last === undefined) return [closing];
  const reported = calls.map((call) => call.usage).reduce(addUsage);
  return [...calls.slice(0, -1), { ...last, usage: addSurplus(last.usage, closing.usage, reported) }];
}

/** Codex: `turn.completed` on stdout and `token_count` in rollouts contain the thread's total so far. */
function runningTotal(event: Row): TokenUsage | null {
  if (event['type'] === 'turn.completed') return isObject(event['usage']) ? normalizeUsage(event['usage']) : null;
  const payload = event['payload'];
  const info = isObject(payload) && payload['type'] === 'token_count' ? payload['info'] : null;
  const total = isObject(info) ? info['total_token_usage'] : null;
  return isObject(total) ? normalizeUsage(total) : null;
}

function closingTotal(event: Row): TokenUsage | null {
  if (event['type'] === 'result' && isObject(event['usage'])) return normalizeUsage(event['usage']);
  return event['type'] === 'session_meta' ? normalizeUsage(event) : null;
}

const PLACES: readonly (readonly [string, readonly string[]])[] = [
  ['message', ['usage']],
  ['part', ['usage', 'tokens']],
  ['metadata', ['usage', 'usage_metadata', 'token_usage']],
  ['response_metadata', ['token_usage']],
];

/** Usage objects of one call and the objects that contain them. */
function ownUsage(event: Row): (readonly [TokenUsage, Row])[] {
  const inside = PLACES.flatMap(([key, names]) => {
    const owner = event[key];
    return isObject(owner) ? names.map((name) => [owner[name], owner] as const) : [];
  });
  const all = [[event['usage'], event] as const, ...inside];
  return all.filter(([usage]) => isObject(usage)).map(([usage, owner]) => [normalizeUsage(usage), owner]);
}

function callOf(event: Row, owner: Row, usage: TokenUsage, index: number): TranscriptCall {
  const model = modelOf(owner) ?? modelOf(event);
  const timestamp = event['timestamp'] ?? owner['timestamp'];
  return { usage, id: callId(event, owner, model), index, model, timestamp };
}

/** Upstream's choice: the owner's ID, then the event's ID, then the timestamp. */
function callId(event: Row, owner: Row, model: string | null): string | null {
  const options: readonly (readonly [string, unknown])[] = [
    ['message', owner['id'] ?? owner['message_id']],
    ['response', owner['responseId'] ?? owner['response_id']],
    ['event', event['id']],
    ['uuid', event['uuid']],
    [model ?? '', owner['timestamp'] ?? event['timestamp']],
  ];
  const found = options.find(([, id]) => typeof id === 'string' || typeof id === 'number');
  return found === undefined ? null : `${found[0]}:${String(found[1])}`;
}

function modelOf(row: Row): string | null {
  const name = row['model'] ?? row['model_id'] ?? row['modelId'];
  return typeof name === 'string' && name !== '' ? name.replace(/^openrouter\//, '') : null;
}
