import { expect, it } from 'vitest';
import { jobOrder } from './job-order.ts';

it('goes by task, repetition, model by name, harness as given', () => {
  const jobs = jobOrder(['t2', 't1'], ['mB', 'mA'], ['h2', 'h1'], 2);
  expect(
    jobs.map(({ task, repetition, model, harness }) => `${task} ${String(repetition)} ${model} ${harness}`),
  ).toEqual([
    't2 1 mA h2',
    't2 1 mA h1',
    't2 1 mB h2',
    't2 1 mB h1',
    't2 2 mA h2',
    't2 2 mA h1',
    't2 2 mB h2',
    't2 2 mB h1',
    't1 1 mA h2',
    't1 1 mA h1',
    't1 1 mB h2',
    't1 1 mB h1',
    't1 2 mA h2',
    't1 2 mA h1',
    't1 2 mB h2',
    't1 2 mB h1',
  ]);
  expect(jobs.map(({ taskIndex }) => taskIndex)).toEqual([...Array<number>(8).fill(0), ...Array<number>(8).fill(1)]);
});
