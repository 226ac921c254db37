import { isObject } from '../text/json.ts';
import type { ApiType } from '../models/models-file.ts';
import { normalizeUsage, type TokenUsage } from './normalize.ts';
import { parseDecimal } from './decimal.ts';

/** The usage that one response of a provider reports. */
export interface CallUsage {
  readonly usage: TokenUsage;
  /** Model as the provider names it. */
  readonly model: string | null;
  /** The provider's ID of the response. */
  readonly id: string | null;
  /** USD, if the provider reports it (OpenRouter's `usage.cost`). */
  readonly costUSD: number | null;
}

type Row = Record<string, unknown>;

/**
 * The usage in a complete JSON response (not a stream) of an API type; null when it has none (an error, a list of models).
 * Gemini's streams without SSE are one JSON array, whose last element counts.
 */
export function usageOfAnswer(apiType: ApiType, answer: unknown): CallUsage | null {
  if (Array.isArray(answer)) {
    const found = (answer as unknown[]).map((one) => usageOfAnswer(apiType, one));
    return found.findLast((one) => one !== null) ?? null;
  }
  return isObject(answer) ? callUsage(answer, answer[USAGE_FIELD[apiType]]) : null;
}

/** Field of a response (or of a stream's element) with the usage. */
export const USAGE_FIELD: Readonly<Record<ApiType, string>> = {
  'openai-completions': 'usage',
  'openai-responses': 'usage',
  'anthropic-messages': 'usage',
  'google-generative-ai': 'usageMetadata',
};

/** @param owner the object with ID and model. */
export function callUsage(owner: Row, usage: unknown): CallUsage | null {
  if (!isObject(usage)) return null;
  const cost = usage['cost'];
  return {
    usage: normalizeUsage(usage),
    model: text(owner['model']) ?? text(owner['modelVersion']),
    id: text(owner['id']) ?? text(owner['responseId']),
    costUSD: typeof cost === 'number' && parseDecimal(cost) !== null ? cost : null,
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
