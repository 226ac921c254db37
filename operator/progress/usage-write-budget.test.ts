import { expect, it } from 'vitest';
import { dueToShow, SHOWN_PER_ROUND, type Showable } from './usage-write-budget.ts';

const pod = (podUID: string, tokens: number, shown: number | null, shownAt = 0): Showable => ({
  podUID,
  spent: { costUSD: null, tokens, apiCalls: 1 },
  shown: shown === null ? null : { costUSD: null, tokens: shown, apiCalls: 1 },
  shownAt,
});

it('shows what is new, and nothing while nobody calls a model', () => {
  const silent: Showable = { ...pod('s', 0, null), spent: { costUSD: null, tokens: 0, apiCalls: 0 } };
  // A gateway that was not called yet knows that nothing was spent.
  const idle: Showable = { ...silent, podUID: 'i', spent: { costUSD: 0, tokens: 0, apiCalls: 0 } };
  expect(dueToShow([silent, idle, pod('a', 5, null), pod('b', 5, 5, 1), pod('c', 6, 5, 1)])).toEqual(['a', 'c']);
  const priced: Showable = { ...pod('p', 5, 5), spent: { costUSD: 0.1, tokens: 5, apiCalls: 1 } };
  expect(dueToShow([priced])).toEqual(['p']);
});

it('with 200 pods that all spend: 5 a second in all, and each in its turn', () => {
  let pods = Array.from({ length: 200 }, (_, index) => pod(String(index), 1, null));
  const times = new Map<string, number[]>();
  for (let round = 1; round <= 40; round += 1) {
    const due = dueToShow(pods);
    expect(due).toHaveLength(SHOWN_PER_ROUND);
    for (const uid of due) times.set(uid, [...(times.get(uid) ?? []), round]);
    pods = pods.map((one) => {
      const spent = { ...one.spent, tokens: round + 1 };
      return due.includes(one.podUID) ? { ...one, spent, shown: one.spent, shownAt: round } : { ...one, spent };
    });
  }
  expect(times.size).toBe(200);
  for (const [first = 0, ...rest] of times.values()) {
    expect(rest).toEqual(rest.map((_, index) => first + 4 * (index + 1)));
    expect(first).toBeLessThanOrEqual(4);
  }
});
