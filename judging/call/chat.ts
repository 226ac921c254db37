import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { callOutcome, INCOMPLETE, type CallFailure, type CallOutcome } from '../../benchmark/models/call-outcome.ts';
import { looksLikeEventStream } from '../../benchmark/models/stream-outcome.ts';
import { isObject } from '../../benchmark/text/json.ts';
import { normalizeUsage } from '../../benchmark/usage/normalize.ts';
import { addUsage } from '../../benchmark/usage/token-sum.ts';
import { failureKind, ProviderError } from './provider-error.ts';
import { createPost, PostFailure, TOO_LARGE, type Post, type PostAnswer } from './post.ts';
import type { SendChat, ChatRequest, ChatReply } from './chat-types.ts';
import { sendCallOf } from './send-call.ts';
import { apiFormatOf } from './api-format/format-of.ts';
import type { ApiFormat, FormatReply, RequestShape } from './api-format/api-format.ts';

/** Upstream's timeout for a judge call. */
const TIMEOUT_MS = 60_000;

/** Room for a reply that was cut: reasoning models spend thousands of tokens before their first word. */
const GROWTH = 4;
const LEAST_GROWN = 8_192;
const MOST_GROWN = 32_768;

/**
 * Calls one model with its API type. Retries are decided elsewhere (`retry.ts`). Only a request whose form the model
 * rejects is sent again in another form: with the next key if the key is at fault, without a schema where structured
 * output is not supported, without the parameters that newer models reject, without streaming, and once with more room
 * if the reply was cut. The form that worked is kept for later requests.
 */
export function openChat(model: ModelEntry, post: Post = createPost(TIMEOUT_MS)): SendChat {
  const format = apiFormatOf(model);
  const send = sendCallOf(model.apiType, post);
  const learnt = { modern: false, schemas: true, unstreamed: false, room: model.maxTokens };
  let turn = 0;
  const call = async (request: ChatRequest, shape: RequestShape): Promise<PostAnswer> => {
    const key = model.keys[turn % model.keys.length];
    turn += 1;
    if (key === undefined) throw new ProviderError('Refused', 0, `model ${model.name} has no API key`);
    const body = format.body(model, request, shape);
    return send({ url: format.url(model), key, headers: format.headers(model, key), body }).catch((error: unknown) => {
      throw error instanceof PostFailure ? noAnswer(error, model.name) : error;
    });
  };
  /** Called after a success only: a request that fails in every form was not refused for its form. */
  const learn = (shape: RequestShape, request: ChatRequest): void => {
    learnt.modern ||= shape.modern;
    learnt.unstreamed ||= shape.unstreamed;
    if (request.schema !== undefined) learnt.schemas &&= shape.structured;
  };
  /** @throws ProviderError */
  const ask = async (request: ChatRequest): Promise<Reading> => {
    let shape: RequestShape = {
      modern: learnt.modern,
      unstreamed: learnt.unstreamed,
      structured: learnt.schemas && request.schema !== undefined,
    };
    for (let keysLeft = model.keys.length - 1; ;) {
      const answer = await call(request, shape);
      const next = otherShape(shape, answer);
      if (next !== null) {
        shape = next;
        continue;
      }
      const outcome = outcomeOf(model, answer);
      if (outcome.ok) {
        learn(shape, request);
        return readReply(answer, format, request.maxTokens);
      }
      if (!isAccountFailure(outcome.kind) || keysLeft === 0) throw failed(outcome, answer.status, model.name);
      keysLeft -= 1;
    }
  };
  return async (request) => {
    const roomy = { ...request, maxTokens: learnt.room ?? request.maxTokens };
    const first = await ask(roomy);
    const more = Math.min(MOST_GROWN, Math.max(LEAST_GROWN, roomy.maxTokens * GROWTH));
    if (first.ending !== 'Cut' || more <= roomy.maxTokens) return first.reply;
    const grown = await ask({ ...request, maxTokens: more });
    learnt.room = more;
    return { ...grown.reply, usage: addUsage(first.reply.usage, grown.reply.usage) };
  };
}

/** Another key may have credit. A rate limit is waited for instead, and the next call uses the next key anyway. */
function isAccountFailure(kind: ProviderFailure): boolean {
  return kind === 'Auth' || kind === 'Credit';
}

/** The form in which to send a rejected request again; null: none is left. */
function otherShape(shape: RequestShape, answer: PostAnswer): RequestShape | null {
  if (answer.status === 400 && !shape.modern && OLD_PARAMETER.test(answer.text)) return { ...shape, modern: true };
  if (answer.status === 200 && !shape.unstreamed && looksLikeEventStream(answer.text))
    return { ...shape, unstreamed: true };
  return refusesForm(answer) && shape.structured ? { ...shape, structured: false } : null;
}

/** How providers name the parameters that their newer models do not take. */
const OLD_PARAMETER =
  /max_completion_tokens|['"`]?(?:max_tokens|temperature)['"`]?\W.{0,80}(?:unsupported|not supported|deprecated)|unsupported.{0,80}['"`](?:max_tokens|temperature)/is;

function refusesForm({ status }: PostAnswer): boolean {
  return status === 400 || status === 404 || status === 422;
}

function outcomeOf(model: ModelEntry, { status, retryAfter, text }: PostAnswer): CallOutcome {
  // Gemini is asked in the chat protocol.
  const apiType = model.apiType === 'google-generative-ai' ? 'openai-completions' : model.apiType;
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter };
  return callOutcome(apiType, { status, headers }, { json: parsed(text) }, Date.now());
}

/** Messages name model, status and kind, and never the provider's text, which may quote the request. */
function failed({ kind, code, retryAfterMs }: CallFailure, status: number, model: string): ProviderError {
  const asked = retryAfterMs === null ? null : retryAfterMs / 1000;
  if (code === INCOMPLETE && status < 300) {
    const message = `judge model ${model} sent a reply that is not valid for its API type`;
    return new ProviderError('Retry', 0, message, asked);
  }
  const isSuccess = status >= 200 && status < 300;
  const message = `judge model ${model} answered HTTP ${String(status)}${isSuccess ? ` with an error (${kind})` : ''}`;
  return new ProviderError(failureKind(kind, status), kind === 'RateLimit' ? 429 : status, message, asked);
}

interface Reading {
  readonly reply: ChatReply;
  readonly ending: FormatReply['ending'];
}

function readReply(answer: PostAnswer, format: ApiFormat, maxTokens: number): Reading {
  const json = parsed(answer.text);
  const { text, ending } = format.reply(json);
  const usage = normalizeUsage(isObject(json) ? json['usage'] : null);
  const shortfall = {
    Whole: {},
    Cut: { shortfall: `cut at ${String(maxTokens)} tokens` },
    Declined: { shortfall: 'declined by the model or its content filter' },
  }[ending];
  return { reply: { text, usage, ...shortfall }, ending };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function noAnswer(failure: PostFailure, model: string): ProviderError {
  if (failure.cause === TOO_LARGE) {
    return new ProviderError('Retry', 0, `judge model ${model} answered with ${TOO_LARGE}`);
  }
  return failure.timedOut
    ? new ProviderError('Retry', 0, `judge model ${model} did not answer within ${TIMEOUT_MS / 1000} s`)
    : new ProviderError('Retry', 0, `judge model ${model} cannot be reached`);
}
