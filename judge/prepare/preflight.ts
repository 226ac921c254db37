import { parseJson } from '../../benchmark/json.ts';
import type { ModelEntry } from '../../benchmark/models-file.ts';
import { preflightAnswered, preflightRequest, PREFLIGHT_SHAPES } from '../../benchmark/preflight.ts';
import { failureKind } from '../call/errors.ts';
import { createPost, type Post, type PostAnswer } from '../call/post.ts';

/** Upstream's limit. */
const TIMEOUT_MS = 20_000;

/**
 * One tiny call over the API that agents use. A bad key, no credit, an unknown model or a wrong address are found here,
 * before an agent has cost anything; an outage that may pass (503, time-out) does not refuse a batch.
 * @returns why the model cannot be used, without key and without the provider's words; null: nothing speaks against it.
 */
export async function preflight(model: ModelEntry, post: Post = createPost(TIMEOUT_MS)): Promise<string | null> {
  const [key = ''] = model.keys;
  let problem: string | null = null;
  for (const shape of PREFLIGHT_SHAPES) {
    const request = preflightRequest(model, key, shape);
    if (request === null) return `model ${model.name} has an API type that nobody speaks`;
    const answer = await post(request.url, request.headers, JSON.stringify(request.body)).catch(() => null);
    if (answer === null) return null;
    problem = problemOf(answer, model);
    // Only a complaint about the call itself may be about its shape.
    if (answer.status !== 400) break;
  }
  return problem;
}

function problemOf({ status, text }: PostAnswer, model: ModelEntry): string | null {
  if (status < 200 || status > 299) {
    return failureKind(status) === 'Retry' ? null : `model ${model.name} answered HTTP ${String(status)}`;
  }
  const reply = parseJson(text);
  if (reply.ok && preflightAnswered(model.apiType, reply.value)) return null;
  return `model ${model.name} answers, but not as ${model.apiType} does`;
}
