import type { JudgeMessage } from '../../benchmark/protocol/job-messages.ts';
import { costOf, matchModelId, type PriceList } from '../../benchmark/usage/price.ts';
import type { SendChat } from '../../judging/call/chat-types.ts';

export interface SpendCounter {
  readonly ask: SendChat;
  /** Cost and tokens of the replies so far. */
  readonly spent: () => NonNullable<JudgeMessage['usage']>;
}

/**
 * Counts tokens and cost of a judge model's replies. A call without a reply is not counted: it reports no usage.
 * @param model its name in `models.yaml`, and in the price list.
 */
export function countSpend(ask: SendChat, model: string, prices: PriceList): SpendCounter {
  const entry = prices.get(matchModelId([model], [...prices.keys()]) ?? '');
  let apiCalls = 0;
  let tokens = 0;
  let unpricedCalls = 0;
  let micros = 0;
  return {
    ask: async (request) => {
      const reply = await ask(request);
      const cost = costOf(reply.usage, entry);
      apiCalls += 1;
      tokens += reply.usage.total_tokens;
      if (cost === null) unpricedCalls += 1;
      else micros += Math.round(cost * 1e6);
      return reply;
    },
    spent: () => ({ costUSD: apiCalls === unpricedCalls ? null : micros / 1e6, tokens, apiCalls, unpricedCalls }),
  };
}
