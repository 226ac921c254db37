import { expect, it } from 'vitest';
import { podsDueForUsageWrite, USAGE_WRITES_PER_POLL, type PublishableUsage } from './usage-write-budget.ts';

const pod = (podUID: string, tokens: number, published: number | null, publishedAt = 0): PublishableUsage => ({
  podUID,
  spent: { costUSD: null, tokens, apiCalls: 1 },
  published: published === null ? null : { costUSD: null, tokens: published, apiCalls: 1 },
  publishedAt,
});

it('publishes what is new, and nothing while no model is called', () => {
  const silent: PublishableUsage = { ...pod('s', 0, null), spent: { costUSD: null, tokens: 0, apiCalls: 0 } };
  // A gateway that has not been called knows that nothing was spent.
  const idle: PublishableUsage = { ...silent, podUID: 'i', spent: { costUSD: 0, tokens: 0, apiCalls: 0 } };
  expect(podsDueForUsageWrite([silent, idle, pod('a', 5, null), pod('b', 5, 5, 1), pod('c', 6, 5, 1)])).toEqual([
    'a',
    'c',
  ]);
  const priced: PublishableUsage = { ...pod('p', 5, 5), spent: { costUSD: 0.1, tokens: 5, apiCalls: 1 } };
  expect(podsDueForUsageWrite([priced])).toEqual(['p']);
});

it('with 200 pods that all spend: 5 writes a second in total, and each pod in its turn', () => {
  let pods = Array.from({ length: 200 }, (_, index) => pod(String(index), 1, null));
  const times = new Map<string, number[]>();
  for (let round = 1; round <= 40; round += 1) {
    const due = podsDueForUsageWrite(pods);
    expect(due).toHaveLength(USAGE_WRITES_PER_POLL);
    for (const uid of due) times.set(uid, [...(times.get(uid) ?? []), round]);
    pods = pods.map((one) => {
      const spent = { ...one.spent, tokens: round + 1 };
      return due.includes(one.podUID) ? { ...one, spent, published: one.spent, publishedAt: round } : { ...one, spent };
    });
  }
  expect(times.size).toBe(200);
  for (const [first = 0, ...rest] of times.values()) {
    expect(rest).toEqual(rest.map((_, index) => first + 4 * (index + 1)));
    expect(first).toBeLessThanOrEqual(4);
  }
});
