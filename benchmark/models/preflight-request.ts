import type { ApiType, ModelEntry } from './models-file.ts';
import { isObject } from '../text/json.ts';

/**
 * The tiny call that shows whether a model answers at all, before an agent costs anything. The first shape is upstream's. Some
 * models reject 4 tokens or a temperature, and the Responses API requires at least 16 tokens: a caller that gets HTTP 400 for
 * the first shape tries the second.
 */
export const PREFLIGHT_SHAPES = ['Small', 'Roomy'] as const;
export type PreflightShape = (typeof PREFLIGHT_SHAPES)[number];

export interface PreflightRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Model = Pick<ModelEntry, 'name' | 'baseUrl' | 'apiType'>;
const TEXT = 'This is a connection test. Please answer: OK';

/** The call for a model; null for an unsupported API type. */
export function preflightRequest(model: Model, key: string, shape: PreflightShape = 'Small'): PreflightRequest | null {
  const build = (BUILDERS as Partial<Record<string, Builder>>)[model.apiType];
  return build === undefined ? null : build(model, key, shape);
}

type Builder = (model: Model, key: string, shape: PreflightShape) => PreflightRequest;
const tokens = (shape: PreflightShape): number => (shape === 'Small' ? 4 : 16);
const coolness = (shape: PreflightShape): object => (shape === 'Small' ? { temperature: 0 } : {});
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

const BUILDERS: Readonly<Record<ApiType, Builder>> = {
  'openai-completions': ({ name, baseUrl }, key, shape) => ({
    url: `${baseUrl}/chat/completions`,
    headers: bearer(key),
    body: {
      model: name,
      messages: [{ role: 'user', content: TEXT }],
      [shape === 'Small' ? 'max_tokens' : 'max_completion_tokens']: tokens(shape),
      ...coolness(shape),
    },
  }),
  'openai-responses': ({ name, baseUrl }, key, shape) => ({
    url: `${baseUrl}/responses`,
    headers: bearer(key),
    body: { model: name, input: TEXT, max_output_tokens: tokens(shape) },
  }),
  'anthropic-messages': ({ name, baseUrl }, key, shape) => ({
    url: `${baseUrl}/v1/messages`,
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: { model: name, max_tokens: tokens(shape), messages: [{ role: 'user', content: TEXT }] },
  }),
  'google-generative-ai': ({ name, baseUrl }, key, shape) => ({
    url: geminiUrl(baseUrl, name, key),
    headers: {},
    body: {
      contents: [{ role: 'user', parts: [{ text: TEXT }] }],
      generationConfig: { maxOutputTokens: tokens(shape), ...coolness(shape) },
    },
  }),
};

/** Gemini's URL of a model; `/v1beta` is added unless the base URL already ends in a version. */
export function geminiUrl(baseUrl: string, model: string, key: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const versioned = /\/v\d+(?:alpha|beta)?\d*$/.test(base) ? base : `${base}/v1beta`;
  return `${versioned}/models/${model}:generateContent?key=${encodeURIComponent(key)}`;
}

/** Whether a response (status 2xx, parsed) has the answer fields of its API type. */
export function preflightAnswered(apiType: string, reply: unknown): boolean {
  if (!isObject(reply)) return false;
  const fields = (ANSWER_FIELDS as Partial<Record<string, readonly string[]>>)[apiType] ?? [];
  return fields.some((field) => isFilled(reply[field]));
}

const ANSWER_FIELDS: Readonly<Record<ApiType, readonly string[]>> = {
  'openai-completions': ['choices'],
  'openai-responses': ['output', 'output_text'],
  'anthropic-messages': ['content'],
  'google-generative-ai': ['candidates'],
};

function isFilled(value: unknown): boolean {
  return (Array.isArray(value) || typeof value === 'string') && value.length > 0;
}
