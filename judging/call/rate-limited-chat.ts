import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { openChat } from './chat.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { SendChat } from './chat-types.ts';
import { JUDGE_RETRY, withRetry, type CallRetryPolicy } from './retry.ts';

/**
 * A judge model as the workers use it: every call goes through the provider's rate limiter, and transient failures are
 * retried. A call that waits for its retry does not occupy a slot.
 * @param calls concurrent calls.
 */
export function openRateLimitedChat(model: ModelEntry, calls: number, policy: CallRetryPolicy = JUDGE_RETRY): SendChat {
  const ask = openChat(model);
  const limit = createRateLimiter({ calls, perMinute: model.requestsPerMinute ?? null });
  return (request) => withRetry(policy, () => limit(() => ask(request)));
}
