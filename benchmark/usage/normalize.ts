import { boundedCount, MAX_TOKENS } from './bounds.ts';
import { isObject } from '../text/json.ts';

/** Token counts of one model call, whatever the provider called them. The parts do not overlap: `total` is their sum. */
export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly reported_total_tokens: number;
  readonly total_tokens: number;
}

type Row = Record<string, unknown>;

/**
 * Reads a provider's usage object. Beyond upstream: details of the chat API and Gemini's fields are
 * read, and reasoning tokens that a provider already counts inside its output are taken out of it (upstream counts them
 * twice, U3).
 */
export function normalizeUsage(usage: unknown): TokenUsage {
  const row = isObject(usage) ? usage : {};
  const output = reasoningOf(row);
  const input = cacheOf(row);
  const cacheWrite =
    first(row, ['cacheWrite', 'cache_write', 'cache_write_tokens', 'cache_creation_input_tokens']) ||
    nested(row, 'cache', ['write', 'cache_write_tokens']) ||
    input.written;
  const reported = first(row, ['totalTokens', 'total_tokens', 'total', 'totalTokenCount']);
  const sum = input.rest + output.rest + input.cached + cacheWrite + output.reasoning;
  return {
    input_tokens: input.rest,
    output_tokens: output.rest,
    cache_read_tokens: input.cached,
    cache_write_tokens: cacheWrite,
    reasoning_tokens: output.reasoning,
    reported_total_tokens: reported,
    total_tokens: sum === 0 ? reported : sum,
  };
}

interface InputParts {
  readonly rest: number;
  readonly cached: number;
  /** Written to the cache and counted inside the input (the chat API's detail). */
  readonly written: number;
}

function cacheOf(row: Row): InputParts {
  const prompt = first(row, ['input', 'prompt', 'prompt_tokens', 'input_tokens', 'promptTokenCount']);
  const input = prompt + first(row, ['toolUsePromptTokenCount']);
  const apart = first(row, ['cacheRead', 'cache_read', 'cache_read_tokens', 'cache_read_input_tokens']);
  if (apart > 0) return { rest: input, cached: apart, written: 0 };
  const names = ['cached_tokens', 'cache_read_tokens', 'cache_read_input_tokens'];
  const inside =
    nested(row, 'input_tokens_details', names) ||
    nested(row, 'prompt_tokens_details', names) ||
    first(row, ['cached_input_tokens', 'cachedContentTokenCount', 'prompt_cache_hit_tokens']);
  const written = nested(row, 'prompt_tokens_details', ['cache_write_tokens']);
  if (inside + written > 0) return { rest: Math.max(0, input - inside - written), cached: inside, written };
  return { rest: input, cached: nested(row, 'cache', ['read', 'cache_read_tokens']), written: 0 };
}

function reasoningOf(row: Row): { rest: number; reasoning: number } {
  const output = first(row, ['output', 'completion', 'completion_tokens', 'output_tokens', 'candidatesTokenCount']);
  const apart = first(row, [
    'reasoning',
    'reasoning_tokens',
    'internal_reasoning',
    'internal_reasoning_tokens',
    'thoughtsTokenCount',
  ]);
  if (apart > 0) return { rest: output, reasoning: apart };
  const inside =
    nested(row, 'output_tokens_details', ['reasoning_tokens']) ||
    nested(row, 'completion_tokens_details', ['reasoning_tokens']) ||
    first(row, ['reasoning_output_tokens']);
  return { rest: Math.max(0, output - inside), reasoning: inside };
}

function nested(row: Row, key: string, names: readonly string[]): number {
  const inner = row[key];
  return isObject(inner) ? first(inner, names) : 0;
}

/** The first non-zero of these fields. */
function first(row: Row, names: readonly string[]): number {
  for (const name of names) {
    const count = tokenCount(Object.hasOwn(row, name) ? row[name] : undefined);
    if (count > 0) return count;
  }
  return 0;
}

/** Integers, floats (truncated) and numeric strings, up to {@link MAX_TOKENS}; negatives, booleans and the rest are 0. */
export function tokenCount(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'bigint') return tokenCount(Number(number));
  return Number.isFinite(number) ? boundedCount(number, MAX_TOKENS) : 0;
}
