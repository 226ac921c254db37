import { expect, test, vi } from 'vitest';
import { CommandError } from './command-error.ts';
import { createBrowserCommands } from './commands.ts';

function wired(): {
  sent: { id: number; method: string; sessionId?: string }[];
  commands: ReturnType<typeof createBrowserCommands>;
} {
  const sent: { id: number; method: string; sessionId?: string }[] = [];
  return { sent, commands: createBrowserCommands((text) => sent.push(JSON.parse(text))) };
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

test('a command without a reply rejects at its timeout', async () => {
  vi.useFakeTimers();
  const { commands } = wired();
  const late = expect(commands.send('A.a', {}, { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' });
  await vi.advanceTimersByTimeAsync(51);
  await late;
  vi.useRealTimers();
});

test('when the pipe closes, pending and later commands reject at once', async () => {
  const { sent, commands } = wired();
  const pending = [commands.send('A.a'), commands.send('B.b')];
  commands.close('gone');
  for (const promise of [...pending, commands.send('C.c')]) await expect(promise).rejects.toBeInstanceOf(CommandError);
  expect(sent).toHaveLength(2);
});
