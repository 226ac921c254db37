import { expect, test } from 'vitest';
import { createFireAndForgetCommands, FIRST_FIRE_AND_FORGET_ID } from './fire-and-forget-commands.ts';

test('an order is told once that it was done, refused, late or cut off', () => {
  let now = 0;
  const sent: { readonly id: number }[] = [];
  const orders = createFireAndForgetCommands(
    (text) => sent.push(JSON.parse(text) as { readonly id: number }),
    () => now,
  );
  const told: (string | null)[] = [];
  const order = (requestId: string): void =>
    orders.order('A.a', { requestId }, (error) => told.push(error === null ? null : error.kind));
  for (let n = 0; n < 4; n += 1) order(`"${n}`);
  expect(sent[3]).toEqual({ id: FIRST_FIRE_AND_FORGET_ID + 3, method: 'A.a', params: { requestId: '"3' } });
  orders.acknowledged(FIRST_FIRE_AND_FORGET_ID);
  orders.acknowledged(FIRST_FIRE_AND_FORGET_ID);
  orders.acknowledged(1);
  orders.settle({ id: FIRST_FIRE_AND_FORGET_ID + 1, error: { message: 'no' } });
  orders.sweep();
  expect(told).toEqual([null, 'refused']);
  now = 30_000;
  orders.sweep();
  orders.sweep();
  expect(told).toEqual([null, 'refused', 'timeout', 'timeout']);
  order('');
  orders.close('gone');
  order('');
  expect(told.slice(4)).toEqual(['closed', 'closed']);
  expect(sent).toHaveLength(5);
});
