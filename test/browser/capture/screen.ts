import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate X screen without a window manager, as in a run's browser container. */
export interface Screen {
  /** `:12`. */
  readonly display: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** @throws when Xvfb does not print its display number within 10 s. */
export async function openScreen(): Promise<Screen> {
  const xvfb = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp', '-nolisten', 'local', '-noreset'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const displayFd = xvfb.stdio[3];
  if (!displayFd) throw new Error('Xvfb has no pipe for its display number');
  const [number] = (await once(displayFd, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
  return { display: `:${number.toString().trim()}`, pid: xvfb.pid ?? 0, close: () => ended(xvfb, 'SIGTERM') };
}

/** A temporary folder that is removed with the test. */
export async function scratchFolder(name: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `${name}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Signals a process and waits until it has exited. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
