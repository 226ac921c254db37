import { expect, it } from 'vitest';
import { idleTurn } from './idle-turn.ts';

it('resumes one waiter per turn of the event loop, in order, and can be used again afterwards', async () => {
  const seen: string[] = [];
  const waiters = ['a', 'b', 'c'].map((name) => idleTurn().then(() => seen.push(name)));
  const messages: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    messages.push(seen.length);
  }
  await Promise.all(waiters);
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(messages.slice(0, 3)).toEqual([1, 2, 3]);
  await idleTurn();
});
