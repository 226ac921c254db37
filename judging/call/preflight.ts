import { parseJson } from '../../benchmark/text/json.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { preflightAnswered, preflightRequest, PREFLIGHT_SHAPES } from '../../benchmark/models/preflight-request.ts';
import { callOutcome, INCOMPLETE } from '../../benchmark/models/call-outcome.ts';
import { failureKind } from './provider-error.ts';
import { createPost, type Post, type PostAnswer } from './post.ts';

/** Upstream's limit. */
const TIMEOUT_MS = 20_000;

/** What the call showed. `problem` names model and status, never key or the provider's words. */
export type Preflight =
  | { readonly state: 'Ready' }
  /** Another call would end the same way. */
  | { readonly state: 'Refused'; readonly problem: string }
  /** An outage that may pass: 503, time-out, nobody there. */
  | { readonly state: 'Away'; readonly problem: string };

/**
 * One tiny call over the API that agents use. A bad key, no credit, an unknown model or a wrong address are found here,
 * before an agent has cost anything.
 * @param key the one to try; the model's first by default.
 */
export async function preflight(
  model: ModelEntry,
  post: Post = createPost(TIMEOUT_MS),
  key: string = model.keys[0] ?? '',
): Promise<Preflight> {
  let found: Preflight = { state: 'Ready' };
  for (const shape of PREFLIGHT_SHAPES) {
    const request = preflightRequest(model, key, shape);
    if (request === null)
      return { state: 'Refused', problem: `model ${model.name} has an API type that nobody speaks` };
    const answer = await post(request.url, request.headers, JSON.stringify(request.body)).catch(() => null);
    if (answer === null) return { state: 'Away', problem: `model ${model.name} cannot be reached` };
    found = readAnswer(answer, model);
    // Only a complaint about the call itself may be about its shape.
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
    return { state: 'Refused', problem: `model ${model.name} answers, but not as ${model.apiType} does` };
  const state = failureKind(outcome.kind, status) === 'Retry' ? 'Away' : 'Refused';
  const told = status < 300 ? ` with an error (${outcome.kind})` : '';
  return { state, problem: `model ${model.name} answered HTTP ${String(status)}${told}` };
}
