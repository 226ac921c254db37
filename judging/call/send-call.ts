import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { PostFailure, type Post, type PostAnswer } from './post.ts';

/** One call as a wire spells it. */
export interface ProviderCall {
  readonly url: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Makes a call and gives its answer, whatever the HTTP status. @throws PostFailure */
export type SendCall = (call: ProviderCall) => Promise<PostAnswer>;

const PATHS: Readonly<Partial<Record<ApiType, string>>> = {
  'openai-completions': '/chat/completions',
  'google-generative-ai': '/chat/completions',
  'openai-responses': '/responses',
};

/** The APIs that OpenAI's client speaks go through it; Anthropic's, which it does not know, through the poster alone. */
export function sendCallOf(apiType: ApiType, post: Post): SendCall {
  const path = PATHS[apiType];
  return path === undefined
    ? ({ url, headers, body }) => post(url, headers, JSON.stringify(body))
    : byClient(path, post);
}

/**
 * The client over our poster. It decides nothing: retries, time-outs and the rate belong to the queue of all calls, and
 * which failure is worth another call is decided from the answer.
 */
function byClient(path: string, post: Post): SendCall {
  const clients = new Map<string, OpenAI>();
  const clientOf = (baseURL: string, apiKey: string): OpenAI => {
    const known = clients.get(apiKey);
    if (known !== undefined) return known;
    const made = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: NEVER_MS, fetch: leanFetch(post) });
    clients.set(apiKey, made);
    return made;
  };
  return async ({ url, key, body }) => {
    const client = clientOf(url.slice(0, -path.length), key);
    try {
      const response = await client.post(path, { body }).asResponse();
      return { status: response.status, retryAfter: null, text: await response.text() };
    } catch (error) {
      return answerOf(error);
    }
  };
}

/** The poster has the time limit; the client's own is only there because it must have one. */
const NEVER_MS = 24 * 3600 * 1000;

/** Node's `fetch` costs more than all else of a call; see docs/decisions/004. */
function leanFetch(post: Post): typeof fetch {
  return async (input, init) => {
    // The client calls with a URL as text and a body of JSON text.
    if (typeof input !== 'string' || typeof init?.body !== 'string') throw new TypeError('not a call of the client');
    // Upstream's request, header for header: the client would also tell the provider our platform and versions.
    const headers = { authorization: new Headers(init.headers).get('authorization') ?? '' };
    const answer = await post(input, headers, init.body);
    const kept: Record<string, string> = { 'content-type': 'application/json' };
    if (answer.retryAfter !== null) kept['retry-after'] = answer.retryAfter;
    return new Response(answer.text, { status: answer.status, headers: kept });
  };
}

/** The client throws what is not 2xx; for us that is an answer like any other. */
function answerOf(error: unknown): PostAnswer {
  if (error instanceof APIConnectionError)
    throw error.cause instanceof PostFailure ? error.cause : new PostFailure(false);
  if (!(error instanceof APIError) || typeof error.status !== 'number') throw error;
  const headers = error.headers as Headers | undefined;
  return {
    status: error.status,
    retryAfter: headers?.get('retry-after') ?? null,
    text: JSON.stringify({ message: error.message, error: (error.error as unknown) ?? null }),
  };
}
