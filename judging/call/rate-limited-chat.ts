import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { openAsk } from './chat.ts';
import { createGate } from './rate-limiter.ts';
import type { Ask } from './chat-types.ts';
import { JUDGE_RETRY, withRetry, type RetryPolicy } from './retry.ts';

/**
 * A judge model as the workers use it: every call passes the provider's gate, and what may pass is tried again. A call
 * that waits for its next try holds no place.
 * @param calls at a time.
 */
export function openProvider(model: ModelEntry, calls: number, policy: RetryPolicy = JUDGE_RETRY): Ask {
  const ask = openAsk(model);
  const gate = createGate({ calls, perMinute: model.requestsPerMinute ?? null });
  return (question) => withRetry(policy, () => gate(() => ask(question)));
}
