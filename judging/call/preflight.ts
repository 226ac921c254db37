import { parseJson } from '../../benchmark/text/json.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { preflightAnswered, preflightRequest, PREFLIGHT_SHAPES } from '../../benchmark/models/preflight-request.ts';
import { callOutcome, INCOMPLETE } from '../../benchmark/models/call-outcome.ts';
import { failureKind } from './provider-error.ts';
import { createPost, type Post, type PostAnswer } from './post.ts';

/** Upstream's timeout. */
const TIMEOUT_MS = 20_000;

/** The result of the call. `problem` names the model and the status, never the key or the provider's text. */
export type Preflight =
  | { readonly state: 'Ready' }
  /** Another call would fail in the same way. */
  | { readonly state: 'Refused'; readonly problem: string }
  /** An outage that may pass: 503, timeout, connection refused. */
  | { readonly state: 'Away'; readonly problem: string };

/**
 * One tiny call over the API that agents use. It detects an invalid key, missing credit, an unknown model or a wrong URL
 * before an agent costs anything.
 * @param key the API key to use; default: the model's first one.
 */
export async function preflight(
  model: ModelEntry,
  post: Post = createPost(TIMEOUT_MS),
  key: string = model.keys[0] ?? '',
): Promise<Preflight> {
  let found: Preflight = { state: 'Ready' };
  for (const shape of PREFLIGHT_SHAPES) {
    const request = preflightRequest(model, key, shape);
    if (request === null) return { state: 'Refused', problem: `model ${model.name} has an unsupported API type` };
    const answer = await post(request.url, request.headers, JSON.stringify(request.body)).catch(() => null);
    if (answer === null) return { state: 'Away', problem: `model ${model.name} cannot be reached` };
    found = readAnswer(answer, model);
    // Only HTTP 400 can be about the shape of the call.
    if (answer.status !== 400) break;
  }
  return found;
}

function readAnswer({ status, retryAfter, text }: PostAnswer, model: ModelEntry): Preflight {
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter };
  const reply = parseJson(text);
  const json = reply.ok ? reply.value : undefined;
  const outcome = callOutcome(model.apiType, { status, headers }, { json }, Date.now());
  if (outcome.ok && preflightAnswered(model.apiType, json)) return { state: 'Ready' };
  if (outcome.ok || (outcome.code === INCOMPLETE && status < 300))
    return { state: 'Refused', problem: `model ${model.name} does not answer in the format of ${model.apiType}` };
  const state = failureKind(outcome.kind, status) === 'Retry' ? 'Away' : 'Refused';
  const told = status < 300 ? ` with an error (${outcome.kind})` : '';
  return { state, problem: `model ${model.name} answered HTTP ${String(status)}${told}` };
}
