import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, startTimeOf, type Recorded } from './host-process.ts';

const linux = process.platform === 'linux';
const children: ChildProcess[] = [];

async function aSleeper(): Promise<{ child: ChildProcess; recorded: Recorded }> {
  const child = spawn('/bin/sleep', ['60']);
  children.push(child);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const startTime = startTimeOf(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return { child, recorded: { pid, startTime, argv: ['/bin/sleep', '60'], log: '' } };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('the start time in /proc/PID/stat', () => {
  it('is found behind a command that contains spaces and parentheses', () => {
    const fields = Array.from({ length: 50 }, (_, i) => String(i + 3));
    expect(startTimeOf(`12 (a) b (c)) ${fields.join(' ')}`)).toBe('22');
  });
});

describe.runIf(linux)('a recorded process', () => {
  it('is alive while it runs, and not after', async () => {
    const { child, recorded } = await aSleeper();
    expect(isAlive(recorded)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(recorded)).toBe(false);
  });

  it('is not another process with the same pid', async () => {
    const { recorded } = await aSleeper();
    expect(isAlive({ ...recorded, argv: ['/usr/bin/etcd', '60'] })).toBe(false);
    expect(isAlive({ ...recorded, startTime: '1' })).toBe(false);
  });
});
