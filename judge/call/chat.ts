import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { ModelEntry } from '../../benchmark/models-file.ts';
import { failureKind, ProviderError, retryAfterSeconds } from './errors.ts';

/** One question to a judge model. */
export interface Question {
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
}

/** Asks and answers the reply's text; empty when the model said nothing. @throws ProviderError */
export type Ask = (question: Question) => Promise<string>;

const TIMEOUT_MS = 60_000;

/** API types that this version can call; the others are refused by `prepare`, before any agent has run. */
export function canJudge(model: ModelEntry): boolean {
  return model.apiType !== 'anthropic-messages';
}

/**
 * A caller for one model over any OpenAI-compatible endpoint. The client's own retries are off: what is worth a second
 * call is decided in one place (retry.ts). Keys are used in turn.
 */
export function openAsk(model: ModelEntry): Ask {
  let next = 0;
  const clients = model.keys.map(
    (apiKey) => new OpenAI({ apiKey, baseURL: compatibleBase(model), maxRetries: 0, timeout: TIMEOUT_MS }),
  );
  return async (question) => {
    const client = clients[next % clients.length];
    next += 1;
    if (client === undefined) throw new ProviderError('Refused', 0, `model ${model.name} has no key`);
    try {
      return await (model.apiType === 'openai-responses' ? responses : completions)(client, model, question);
    } catch (error) {
      throw asProviderError(error, model.name);
    }
  };
}

/** Gemini speaks this protocol below a path of its own (upstream.md 7.1). */
function compatibleBase(model: ModelEntry): string {
  if (model.apiType !== 'google-generative-ai' || model.baseUrl.includes('/openai')) return model.baseUrl;
  return `${model.baseUrl}/v1beta/openai`;
}

async function completions(client: OpenAI, model: ModelEntry, question: Question): Promise<string> {
  const reply = await client.chat.completions.create({
    model: model.name,
    temperature: 0,
    max_tokens: question.maxTokens,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
  });
  return reply.choices?.[0]?.message?.content ?? '';
}

async function responses(client: OpenAI, model: ModelEntry, question: Question): Promise<string> {
  const reply = await client.responses.create({
    model: model.name,
    instructions: question.system,
    input: question.user,
    max_output_tokens: question.maxTokens,
  });
  return reply.output_text ?? '';
}

/** Types a failure; the message names model and status and never the provider's text, which may quote the request. */
function asProviderError(error: unknown, model: string): Error {
  if (error instanceof APIConnectionTimeoutError) {
    return new ProviderError('Retry', 0, `judge model ${model} did not answer within ${TIMEOUT_MS / 1000} s`);
  }
  if (error instanceof APIConnectionError)
    return new ProviderError('Retry', 0, `judge model ${model} cannot be reached`);
  if (error instanceof APIError) {
    const status = typeof error.status === 'number' ? error.status : 0;
    const asked = retryAfterSeconds((error.headers as Headers | undefined)?.get('retry-after') ?? null, Date.now());
    return new ProviderError(failureKind(status), status, `judge model ${model} answered HTTP ${status}`, asked);
  }
  return new ProviderError('Refused', 0, `judge model ${model} sent a reply that is not of its API type`);
}
