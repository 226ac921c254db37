import { expect, it } from 'vitest';
import { ProviderError } from '../call/provider-error.ts';
import { judgeRuns } from './judge-runs.ts';

const rows = [1, 2, 3, 4, 5, 6];

it('processes every row, never more at once than it has workers', async () => {
  let active = 0;
  let most = 0;
  const result = await judgeRuns(rows, 2, async (row) => {
    active += 1;
    most = Math.max(most, active);
    await new Promise((resolve) => setTimeout(resolve, 2));
    active -= 1;
    return row * 10;
  });
  expect(result).toEqual({ done: [10, 20, 30, 40, 50, 60], open: 0, stopped: null, lastError: null });
  expect(most).toBe(2);
});

it('leaves a row open when its call is refused, and continues', async () => {
  const result = await judgeRuns(rows, 1, (row) =>
    row === 2 ? Promise.reject(new ProviderError('Refused', 400, 'no')) : Promise.resolve(row),
  );
  expect(result).toMatchObject({ done: [1, 3, 4, 5, 6], open: 1, stopped: null });
});

it('stops at the first failure that every call would meet', async () => {
  let calls = 0;
  const result = await judgeRuns(rows, 1, (row) => {
    calls += 1;
    return row === 3 ? Promise.reject(new ProviderError('Pause', 402, 'no credit')) : Promise.resolve(row);
  });
  expect(calls).toBe(3);
  expect(result).toMatchObject({ done: [1, 2], open: 4, stopped: { status: 402 } });
});

it('leaves a row open that fails for another reason, reports it, and continues', async () => {
  const reported: unknown[] = [];
  const work = (row: number): Promise<number> =>
    row === 2 ? Promise.reject(new TypeError('bad')) : Promise.resolve(row);
  const result = await judgeRuns(rows, 1, work, (row, error) => reported.push([row, String(error)]));
  expect(result).toMatchObject({ done: [1, 3, 4, 5, 6], open: 1, stopped: null });
  expect(reported).toEqual([[2, 'TypeError: bad']]);
});
