import { isObject } from '../text/json.ts';
import type { ApiType } from '../models/models-file.ts';
import { normalizeUsage, type TokenUsage } from './normalize.ts';
import { parseDecimal } from './decimal.ts';

/** What one answer of a provider says about its own bill. */
export interface CallUsage {
  readonly usage: TokenUsage;
  /** Model as the provider names it. */
  readonly model: string | null;
  /** The provider's id of the answer. */
  readonly id: string | null;
  /** USD, where the provider tells it (OpenRouter's `usage.cost`). */
  readonly costUSD: number | null;
}

type Row = Record<string, unknown>;

/**
 * Usage in a whole JSON answer (not a stream) of an API type; null when it tells none (an error, a list of models).
 * Gemini's streams without SSE are one JSON array, whose last element counts.
 */
export function usageOfAnswer(apiType: ApiType, answer: unknown): CallUsage | null {
  if (Array.isArray(answer)) {
    const found = (answer as unknown[]).map((one) => usageOfAnswer(apiType, one));
    return found.findLast((one) => one !== null) ?? null;
  }
  return isObject(answer) ? callUsage(answer, answer[USAGE_FIELD[apiType]]) : null;
}

/** Field of an answer (or of a stream's element) that holds the usage. */
export const USAGE_FIELD: Readonly<Record<ApiType, string>> = {
  'openai-completions': 'usage',
  'openai-responses': 'usage',
  'anthropic-messages': 'usage',
  'google-generative-ai': 'usageMetadata',
};

/** @param owner the object that holds id and model. */
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
