import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, 'interrupt.ts');

/** A program like the demo: one child of its own, one that is to outlive it. Prints their pids when both run. */
const PROGRAM = `
  import { spawn } from 'node:child_process';
  import { onInterrupt } from ${JSON.stringify(MODULE)};
  onInterrupt(() => 'how things stand');
  const wait = ['-e', 'setTimeout(() => {}, 20_000)'];
  const own = spawn(process.execPath, wait, { stdio: 'ignore' });
  const daemon = spawn(process.execPath, wait, { stdio: 'ignore', detached: true });
  console.log(own.pid, daemon.pid);
`;

async function startAndSignal(program: string, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill(signal);
  const [code] = (await once(child, 'close')) as [number | null];
  return { pids: line.toString().trim().split(' ').map(Number), said, code };
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function ends(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && lives(pid); tries++) await sleep(50);
  return !lives(pid);
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to the demo alone says how things stand, ends its children but no daemon, and exits with 130',
  async (signal) => {
    const { pids, said, code } = await startAndSignal(PROGRAM, signal);
    const [own = 0, daemon = 0] = pids;
    try {
      expect(said.trim()).toBe('how things stand');
      expect(code).toBe(130);
      expect(await ends(own)).toBe(true);
      expect(lives(daemon)).toBe(true);
    } finally {
      process.kill(daemon, 'SIGKILL');
    }
  },
);

it('where other code takes the signal, that code ends the program, and the exit code is 130 all the same', async () => {
  const program = `
    import { onInterrupt } from ${JSON.stringify(MODULE)};
    onInterrupt(() => 'how things stand');
    const timer = setTimeout(() => {}, 20_000);
    process.on('SIGINT', () => { console.error('taken down'); clearTimeout(timer); process.exitCode = 1; });
    console.log('ready');
  `;
  const { said, code } = await startAndSignal(program, 'SIGINT');
  expect(said.trim()).toBe('taken down');
  expect(code).toBe(130);
});
