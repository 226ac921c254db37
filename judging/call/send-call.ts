import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { PostFailure, type Post, type PostAnswer } from './post.ts';

/** One call in the form of an API format. */
export interface ProviderCall {
  readonly url: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a call and returns the response, whatever its HTTP status. @throws PostFailure */
export type SendCall = (call: ProviderCall) => Promise<PostAnswer>;

const PATHS: Readonly<Partial<Record<ApiType, string>>> = {
  'openai-completions': '/chat/completions',
  'google-generative-ai': '/chat/completions',
  'openai-responses': '/responses',
};

/** Calls to APIs that OpenAI's client supports go through it; Anthropic's API, which it does not support, uses `post` directly. */
export function sendCallOf(apiType: ApiType, post: Post): SendCall {
  const path = PATHS[apiType];
  return path === undefined
    ? ({ url, headers, body }) => post(url, headers, JSON.stringify(body))
    : byClient(path, post);
}

/**
 * OpenAI's client on top of `post`. It decides nothing: retries, timeouts and the rate belong to the queue of all calls, and
 * which failure is retried is decided from the response.
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

/** `post` has the timeout; the client requires one of its own. */
const NEVER_MS = 24 * 3600 * 1000;

/** Node's `fetch` costs more than everything else in a call; see docs/decisions/004. */
function leanFetch(post: Post): typeof fetch {
  return async (input, init) => {
    // The client calls with a URL as text and a body of JSON text.
    if (typeof input !== 'string' || typeof init?.body !== 'string') throw new TypeError('not a call of the client');
    // Exactly upstream's headers: the client would also send our platform and versions.
    const headers = { authorization: new Headers(init.headers).get('authorization') ?? '' };
    const answer = await post(input, headers, init.body);
    const kept: Record<string, string> = { 'content-type': 'application/json' };
    if (answer.retryAfter !== null) kept['retry-after'] = answer.retryAfter;
    return new Response(answer.text, { status: answer.status, headers: kept });
  };
}

/** The client throws for a status that is not 2xx; here that is a response like any other. */
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
