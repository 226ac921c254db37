import { expect, it } from 'vitest';
import { normalizeUsage } from '../../benchmark/usage/normalize.ts';
import { userMessage, type SendChat } from '../../judging/call/chat-types.ts';
import { countSpend } from './count-spend.ts';

const question = { system: '', messages: userMessage('?'), maxTokens: 9 };
const reply = { text: '', usage: normalizeUsage({ input_tokens: 1000, output_tokens: 10 }) };
const PRICES = new Map([['j', { pricing: { prompt: '0.000001', completion: '0.00001' } }]]);

it('adds up the cost of the replies, and counts those without a price', async () => {
  const known = countSpend(() => Promise.resolve(reply), 'j', PRICES);
  for (let call = 0; call < 3; call += 1) await known.ask(question);
  expect(known.spent()).toEqual({ costUSD: 0.0033, tokens: 3030, apiCalls: 3, unpricedCalls: 0 });
  const unknown = countSpend(() => Promise.resolve(reply), 'other', PRICES);
  await unknown.ask(question);
  expect(unknown.spent()).toEqual({ costUSD: null, tokens: 1010, apiCalls: 1, unpricedCalls: 1 });
});

it('passes a failed call on to the caller and does not count it', async () => {
  const failing: SendChat = () => Promise.reject(new Error('no'));
  const meter = countSpend(failing, 'j', PRICES);
  await expect(meter.ask(question)).rejects.toThrow('no');
  expect(meter.spent()).toMatchObject({ apiCalls: 0, tokens: 0 });
});
