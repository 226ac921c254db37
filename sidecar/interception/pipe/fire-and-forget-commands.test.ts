import { expect, test } from 'vitest';
import { createFireAndForgetCommands, FIRST_FIRE_AND_FORGET_ID } from './fire-and-forget-commands.ts';

test('each command gets one outcome: done, refused, timeout or closed', () => {
  let now = 0;
  const sent: { readonly id: number }[] = [];
  const commands = createFireAndForgetCommands(
    (text) => sent.push(JSON.parse(text) as { readonly id: number }),
    () => now,
  );
  const outcomes: (string | null)[] = [];
  const send = (requestId: string): void =>
    commands.send('A.a', { requestId }, (error) => outcomes.push(error === null ? null : error.kind));
  for (let n = 0; n < 4; n += 1) send(`"${n}`);
  expect(sent[3]).toEqual({ id: FIRST_FIRE_AND_FORGET_ID + 3, method: 'A.a', params: { requestId: '"3' } });
  commands.acknowledged(FIRST_FIRE_AND_FORGET_ID);
  commands.acknowledged(FIRST_FIRE_AND_FORGET_ID);
  commands.acknowledged(1);
  commands.settle({ id: FIRST_FIRE_AND_FORGET_ID + 1, error: { message: 'no' } });
  commands.expire();
  expect(outcomes).toEqual([null, 'refused']);
  now = 30_000;
  commands.expire();
  commands.expire();
  expect(outcomes).toEqual([null, 'refused', 'timeout', 'timeout']);
  send('');
  commands.close('gone');
  send('');
  expect(outcomes.slice(4)).toEqual(['closed', 'closed']);
  expect(sent).toHaveLength(5);
});
