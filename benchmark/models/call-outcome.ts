import type { ProviderFailure } from './provider-failure.ts';
import { isObject } from '../text/json.ts';
import type { ApiType } from './models-file.ts';
import { failureOfStatus, providerError, type ProviderErrorBody } from './provider-error.ts';
import type { StreamSoFar } from './stream-outcome.ts';

/**
 * The outcome of a call to a model provider. Gateway, judge and preflight all use this file, so that a provider without credit
 * means the same to all three.
 */
export type CallOutcome = { readonly ok: true } | CallFailure;

export interface CallFailure {
  readonly ok: false;
  readonly kind: ProviderFailure;
  /** The provider's error code; null when it sent none. Safe to log. */
  readonly code: string | null;
  /** The provider's error text, empty when it sent none. It may quote the request: never log it. */
  readonly message: string;
  /** Milliseconds to wait according to the provider; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** The part of a response that has been read: its JSON (undefined: not JSON), or its stream so far. */
export type ReadAnswer = { readonly json: unknown } | { readonly stream: StreamSoFar };

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether a call succeeded, from the content of the response and not from its HTTP status alone.
 * @param headers names in lower case.
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date.
 */
export function callOutcome(
  apiType: ApiType,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  answer: ReadAnswer,
  now: number,
): CallOutcome {
  const error = 'stream' in answer ? answer.stream.error : providerError(answer.json, status);
  const retryAfter = retryAfterMs(headers, now);
  if (error !== null) return failure(error, retryAfter);
  const byStatus = failureOfStatus(status);
  if (byStatus !== null) return failure({ kind: byStatus, code: null, message: '' }, retryAfter);
  const whole = 'stream' in answer ? answer.stream.finished : isAnswer(apiType, answer.json);
  return whole ? { ok: true } : failure({ kind: 'Server', code: INCOMPLETE, message: '' }, retryAfter);
}

/** Our code for a success status without an answer: a stream without its final event, HTML, JSON of another API. */
export const INCOMPLETE = 'incomplete_answer';

function failure({ kind, code, message }: ProviderErrorBody, retryAfter: number | null): CallFailure {
  return { ok: false, kind, code, message, retryAfterMs: retryAfter };
}

/** Whether the JSON is an answer of its API type; an answer may be empty. */
export function isAnswer(apiType: ApiType, value: unknown): boolean {
  if (Array.isArray(value)) return (value as unknown[]).some((one) => isObject(one) && isAnswer(apiType, one));
  return isObject(value) && IS_ANSWER[apiType](value);
}

const IS_ANSWER: Readonly<Record<ApiType, (value: Record<string, unknown>) => boolean>> = {
  'openai-completions': ({ choices }) => Array.isArray(choices) && choices.length > 0,
  'openai-responses': ({ output, output_text: text }) => Array.isArray(output) || typeof text === 'string',
  'anthropic-messages': ({ content }) => Array.isArray(content),
  'google-generative-ai': ({ candidates, promptFeedback }) =>
    (Array.isArray(candidates) && candidates.length > 0) || isObject(promptFeedback),
};

/** Failures of the API key: another key may succeed. */
export function isKeyFailure(kind: ProviderFailure): boolean {
  return kind === 'Auth' || kind === 'Credit' || kind === 'RateLimit';
}

/** `retry-after-ms` (OpenAI, Azure), or `Retry-After` in seconds or as an HTTP date. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = numberOf(headers['retry-after-ms']);
  if (exact !== null) return Math.max(0, exact);
  const seconds = numberOf(headers['retry-after']);
  if (seconds !== null) return Math.max(0, seconds * 1000);
  const date = Date.parse(first(headers['retry-after']) ?? '');
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberOf(header: string | readonly string[] | undefined): number | null {
  const text = first(header)?.trim() ?? '';
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? null : value;
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
