import { expect, test, vi } from 'vitest';
import { CommandError, createCommands } from './commands.ts';

function wired(): {
  sent: { id: number; method: string; sessionId?: string }[];
  commands: ReturnType<typeof createCommands>;
} {
  const sent: { id: number; method: string; sessionId?: string }[] = [];
  return { sent, commands: createCommands((text) => sent.push(JSON.parse(text))) };
}

test('a reply settles its own command, whatever the order', async () => {
  const { sent, commands } = wired();
  const first = commands.send('A.a');
  const second = commands.send('B.b', {}, { sessionId: 'S' });
  commands.settle({ id: sent[1]?.id, result: { n: 2 } });
  commands.settle({ id: sent[0]?.id, error: { message: 'no' } });
  commands.settle({ id: 999, result: {} });
  expect(await second).toEqual({ n: 2 });
  await expect(first).rejects.toMatchObject({ kind: 'refused', method: 'A.a' });
  expect(sent[1]?.sessionId).toBe('S');
});

test('a command without a reply rejects at its limit', async () => {
  vi.useFakeTimers();
  const { commands } = wired();
  const late = expect(commands.send('A.a', {}, { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' });
  await vi.advanceTimersByTimeAsync(51);
  await late;
  vi.useRealTimers();
});

test('when the pipe closes everything pending rejects at once, and everything later', async () => {
  const { sent, commands } = wired();
  const pending = [commands.send('A.a'), commands.send('B.b')];
  commands.close('gone');
  for (const promise of [...pending, commands.send('C.c')]) await expect(promise).rejects.toBeInstanceOf(CommandError);
  expect(sent).toHaveLength(2);
});

test('an order is told once that it was done, refused, late or cut off', () => {
  vi.useFakeTimers();
  const { sent, commands } = wired();
  const told: (string | null)[] = [];
  for (let n = 0; n < 4; n += 1)
    commands.order('A.a', { requestId: `"${n}` }, (error) => told.push(error === null ? null : error.kind));
  expect(sent[3]).toEqual({ id: sent[3]?.id, method: 'A.a', params: { requestId: '"3' } });
  commands.acknowledged(sent[0]?.id ?? 0);
  commands.acknowledged(sent[0]?.id ?? 0);
  commands.settle({ id: sent[1]?.id, error: { message: 'no' } });
  expect(told).toEqual([null, 'refused']);
  vi.advanceTimersByTime(36_000);
  expect(told).toEqual([null, 'refused', 'timeout', 'timeout']);
  commands.order('A.a', {}, (error) => told.push(error?.kind ?? null));
  commands.close('gone');
  commands.order('A.a', {}, (error) => told.push(error?.kind ?? null));
  expect(told.slice(4)).toEqual(['closed', 'closed']);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
