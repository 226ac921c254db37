import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { isObject } from '../../benchmark/text/json.ts';
import { normalizeUsage } from '../../benchmark/usage/normalize.ts';
import { failureKind, ProviderError, retryAfterSeconds } from './provider-error.ts';
import { createPost, PostFailure, TOO_LARGE, type Post, type PostAnswer } from './post.ts';
import type { SendChat, ChatRequest, ChatReply } from './chat-types.ts';
import { sendCallOf } from './send-call.ts';
import { apiFormatOf } from './api-format/format-of.ts';
import { type RequestShape, type ApiFormat } from './api-format/api-format.ts';

/** Upstream's timeout for a judge call. */
const TIMEOUT_MS = 60_000;

/**
 * Calls one model with its API type: one call per request, API keys in rotation. Retries are decided elsewhere (`retry.ts`).
 * Only a request whose form the model rejects is sent again in another form: without a schema where structured output is not
 * supported, without the parameters that newer models reject. The form that worked is kept for later requests.
 */
export function openChat(model: ModelEntry, post: Post = createPost(TIMEOUT_MS)): SendChat {
  const format = apiFormatOf(model);
  const send = sendCallOf(model.apiType, post);
  const learnt = { modern: false, schemas: true };
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
  return async (request) => {
    let shape: RequestShape = { modern: learnt.modern, structured: learnt.schemas && request.schema !== undefined };
    for (;;) {
      const answer = await call(request, shape);
      const next = otherShape(shape, answer);
      if (next !== null) {
        shape = next;
        continue;
      }
      const reply = readAnswer(answer, format, model.name);
      // Only after success: a request that fails in every form was not rejected for its form.
      learnt.modern ||= shape.modern;
      if (request.schema !== undefined) learnt.schemas &&= shape.structured;
      return reply;
    }
  };
}

/** The form in which to send a rejected request again; null: none is left. */
function otherShape(shape: RequestShape, answer: PostAnswer): RequestShape | null {
  if (answer.status === 400 && !shape.modern && OLD_PARAMETER.test(answer.text)) return { ...shape, modern: true };
  return refusesForm(answer) && shape.structured ? { ...shape, structured: false } : null;
}

/** How providers name the parameters that their newer models reject. */
const OLD_PARAMETER =
  /max_completion_tokens|['"`]?(?:max_tokens|temperature)['"`]?\W.{0,80}(?:unsupported|not supported|deprecated)|unsupported.{0,80}['"`](?:max_tokens|temperature)/is;

function refusesForm({ status }: PostAnswer): boolean {
  return status === 400 || status === 404 || status === 422;
}

/** Error messages name the model and the status, never the provider's text, which may quote the request. */
function readAnswer(answer: PostAnswer, format: ApiFormat, model: string): ChatReply {
  const { status } = answer;
  if (status < 200 || status > 299) {
    const asked = retryAfterSeconds(answer.retryAfter, Date.now());
    throw new ProviderError(failureKind(status), status, `judge model ${model} answered HTTP ${status}`, asked);
  }
  const json = parsed(answer.text);
  const text = format.text(json);
  if (text === null)
    throw new ProviderError('Retry', 0, `judge model ${model} sent a reply that is not valid for its API type`);
  return { text, usage: normalizeUsage(isObject(json) ? json['usage'] : null) };
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
