import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../benchmark/text/json.ts';
import type { ApiType } from '../../benchmark/models/models-file.ts';

/** The request that goes to the provider in place of the harness's. */

/** Hop-by-hop headers, and all that could carry the harness's placeholder key or a browser's state. */
const DROPPED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'api-key',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-api-key',
  'x-goog-api-key',
]);

/** The harness's headers, with the key where each API expects it. Answers are requested uncompressed, because their usage is read. */
export function outgoingHeaders(
  incoming: IncomingHttpHeaders,
  apiType: ApiType | null,
  configured: ApiType,
  key: string,
): Record<string, string> {
  const kept = Object.entries(incoming).flatMap(([name, value]) =>
    DROPPED.has(name) || name.startsWith('x-forwarded-') || value === undefined
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return { ...Object.fromEntries(kept), 'accept-encoding': 'identity', ...keyHeader(apiType ?? configured, key) };
}

function keyHeader(apiType: ApiType, key: string): Record<string, string> {
  if (apiType === 'google-generative-ai') return { 'x-goog-api-key': key };
  return apiType === 'anthropic-messages' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
}

/** The query without keys: clients of Gemini put theirs there. */
export function outgoingQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ['key', 'api_key', 'api-key', 'access_token']) query.delete(name);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export interface OutgoingBody {
  readonly bytes: Uint8Array;
  /** The body as the harness sent it. */
  readonly asSent: Uint8Array;
  /** The gateway asked for the usage, so the chunk that reports it is removed from the answer. */
  readonly usageAsked: boolean;
  /** The model that the harness named. */
  readonly model: string | null;
  /** Characters of text, without pictures: for a call whose answer reports no usage. */
  readonly characters: number;
}

/**
 * The body that is sent. A chat stream reports its usage only on request (`stream_options.include_usage`), so that option
 * is added; every other body is sent unchanged.
 * @param askUsage false: the provider refuses that option.
 */
export function outgoingBody(bytes: Uint8Array, apiType: ApiType | null, askUsage: boolean): OutgoingBody {
  const text = new TextDecoder().decode(bytes);
  const parsed = parseObject(text);
  const model = typeof parsed?.['model'] === 'string' ? parsed['model'] : null;
  const characters = text.replace(/"(?:data:[^"]{200,}|[A-Za-z0-9+/=]{2000,})"/g, '""').length;
  const asked = parsed === null || !askUsage ? null : withUsageAsked(parsed, apiType);
  if (asked === null) return { bytes, asSent: bytes, usageAsked: false, model, characters };
  return { bytes: new TextEncoder().encode(JSON.stringify(asked)), asSent: bytes, usageAsked: true, model, characters };
}

function withUsageAsked(body: Record<string, unknown>, apiType: ApiType | null): Record<string, unknown> | null {
  if (apiType !== 'openai-completions' || body['stream'] !== true) return null;
  const options = isObject(body['stream_options']) ? body['stream_options'] : {};
  if (options['include_usage'] === true) return null;
  return { ...body, stream_options: { ...options, include_usage: true } };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
