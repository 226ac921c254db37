import { expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('admits no more than fits, in order, runs what is too large alone, and releases the bytes of failed work', async () => {
  const gate = createByteBudget(10);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (name: string, bytes: number): Promise<unknown> =>
    gate.hold(bytes, () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error))),
      );
    });
  const all = Promise.allSettled([start('a', 4), start('b', 6), start('huge', 99), start('c', 1), start('d', 1)]);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  ends.get('a')?.(new Error('x'));
  await turn();
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.();
  await turn();
  expect(begun).toEqual(['a', 'b', 'huge']);
  ends.get('huge')?.();
  await turn();
  expect(begun).toEqual(['a', 'b', 'huge', 'c', 'd']);
  for (const end of ends.values()) end();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', ...Array<string>(4).fill('fulfilled')]);
});
