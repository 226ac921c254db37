import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emitUsage } from './transcript-rows.ts';
import { MAX_TOKENS, MAX_USD } from './bounds.ts';
import { parseDecimal, SCALE } from './decimal.ts';
import { normalizeUsage, tokenCount } from './normalize.ts';
import { costOf } from './price.ts';
import { summarizeUsage } from './summary.ts';

const options = { harness: 'h', model: 'm', prices: new Map<string, unknown>(), now: 0 };
const prices = new Map([['p/m', { pricing: { prompt: '0.00000015', completion: '6e-7' } }]]);

describe('normalizeUsage', () => {
  it.each([
    [
      'chat API',
      {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      [60, 20, 40, 0, 30, 150],
    ],
    [
      'Responses API',
      { input_tokens: 100, output_tokens: 50, output_tokens_details: { reasoning_tokens: 30 } },
      [100, 20, 0, 0, 30, 150],
    ],
    [
      'Messages API',
      { input_tokens: 20, output_tokens: 4, cache_read_input_tokens: 6, cache_creation_input_tokens: 7 },
      [20, 4, 6, 7, 0, 37],
    ],
    [
      'Gemini',
      {
        promptTokenCount: 10,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 4,
        totalTokenCount: 18,
      },
      [6, 5, 4, 0, 3, 18],
    ],
    ['only a total', { total_tokens: 9 }, [0, 0, 0, 0, 0, 9]],
    ['nothing', null, [0, 0, 0, 0, 0, 0]],
  ])('%s', (_name, usage, [input, output, read, write, reasoning, total]) => {
    expect(normalizeUsage(usage)).toMatchObject({
      input_tokens: input,
      output_tokens: output,
      cache_read_tokens: read,
      cache_write_tokens: write,
      reasoning_tokens: reasoning,
      total_tokens: total,
    });
  });
  it('counts are whole and never negative', () => {
    expect([' 7 ', '7.9', -3, true, NaN, Infinity, 'x', null, 5n].map(tokenCount)).toEqual([7, 7, 0, 0, 0, 0, 0, 0, 5]);
    fc.assert(fc.property(fc.anything(), (value) => Number.isInteger(tokenCount(value)) && tokenCount(value) >= 0));
  });
});

describe('cost', () => {
  it('is exact where floating point is not', () => {
    expect(parseDecimal('0.1')! * 3n).toBe(parseDecimal('0.3'));
    expect(parseDecimal('6e-7')).toBe((6n * SCALE) / 10_000_000n);
    expect([parseDecimal('-1'), parseDecimal('x'), parseDecimal(null), parseDecimal('')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
  it('is null when a part has no price', () => {
    const usage = normalizeUsage({ input: 1_000_000, output: 1_000_000 });
    expect(costOf(usage, prices.get('p/m'))).toBe(0.75);
    expect(costOf(normalizeUsage({ input: 1, cacheRead: 1 }), prices.get('p/m'))).toBeNull();
    expect(costOf(usage, {})).toBeNull();
    expect(costOf(usage, undefined)).toBeNull();
  });
});

describe('emitUsage', () => {
  it('counts a streamed call once with its last usage, and no closing total', () => {
    const rows = emitUsage(
      [
        { message: { id: 'a', usage: { input_tokens: 10, output_tokens: 1 } } },
        { message: { id: 'a', usage: { input_tokens: 10, output_tokens: 80 } } },
        { type: 'result', usage: { input_tokens: 10, output_tokens: 80 } },
      ],
      options,
    );
    expect(rows.map((row) => [row.call_id, row.total_tokens])).toEqual([['message:a', 90]]);
  });
  it('returns the same rows each time the file is read', () => {
    const events = [{ usage: { input: 1 } }, 'x', null, { usage: { input: 2 } }];
    expect(emitUsage(events, options)).toEqual(
      emitUsage(events, { ...options, now: 99 }).map((row) => ({ ...row, timestamp: 0 })),
    );
    expect(emitUsage(events, options)).toHaveLength(2);
  });
  it('uses the price of the only ID that ends in the name', () => {
    const [row] = emitUsage([{ id: 'e', usage: { input: 1_000_000 } }], { ...options, prices });
    expect(row).toMatchObject({ matched_model_id: 'p/m', estimated_cost_usd: 0.15, cost_status: 'estimated' });
  });
});

describe('summarizeUsage', () => {
  it('has a cost only when every call has one', () => {
    const priced = { type: 'usage', call_id: 'a', total_tokens: 1, estimated_cost_usd: 0.1 };
    expect(summarizeUsage([priced, { ...priced, call_id: 'b', estimated_cost_usd: 0.2 }])).toMatchObject({
      status: 'estimated',
      estimated_cost_usd: 0.3,
    });
    expect(summarizeUsage([priced, { ...priced, call_id: 'b', estimated_cost_usd: null }])).toMatchObject({
      status: 'price_unavailable',
      estimated_cost_usd: null,
    });
  });
  it.each([
    ['one absurd count', [{ total_tokens: 1e300 }]],
    ['a count above 2^63', [{ total_tokens: '9300000000000000000' }]],
    ['two that overflow', [{ total_tokens: 1e308 }, { total_tokens: 1e308 }]],
    ['parts that overflow', [{ input_tokens: 1e308, output_tokens: 1e308 }]],
    ['thousands at the limit', Array.from({ length: 5000 }, () => ({ total_tokens: 1e11 }))],
    ['a cost without end', [{ total_tokens: 1, estimated_cost_usd: '1e308' }]],
    ['two costs that overflow', [1, 2].map(() => ({ total_tokens: 1, estimated_cost_usd: 1.7e308 }))],
  ])('%s gives numbers that a status can hold', (_what, rows) => {
    const { total_tokens, input_tokens, estimated_cost_usd } = summarizeUsage(
      rows.map((row) => ({ type: 'usage', ...row })),
    );
    for (const count of [total_tokens, input_tokens]) {
      expect(count).toBeGreaterThanOrEqual(0);
      expect(count).toBeLessThanOrEqual(MAX_TOKENS);
      expect(Number.isSafeInteger(count)).toBe(true);
    }
    if (estimated_cost_usd !== null) expect(estimated_cost_usd).toBeLessThanOrEqual(MAX_USD);
  });

  it('sums any rows without an error', () => {
    fc.assert(fc.property(fc.array(fc.anything()), (rows) => summarizeUsage(rows).total_tokens >= 0));
  });
});
