import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const EXIT_CODE = 130;

/** Programs that were started and have not ended. */
const children = new Set<ChildProcess>();

function follow(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.once('error', () => children.delete(child));
}

/** The embedded cluster's own programs lead process groups of their own: they outlive us, as they must. */
function leadsAGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/**
 * From here on SIGINT and SIGTERM print a line, end the programs that were started (a terminal signals them too, `kill`
 * does not) and exit with 130. Where other code takes the signal meanwhile (a cluster that is coming up takes itself
 * down), only the exit code is ours.
 * @param message returns the line for the state at the time of the signal.
 */
export function onInterrupt(message: () => string): void {
  subscribe('child_process', (message) => follow((message as { process: ChildProcess }).process));
  const others = new Map(SIGNALS.map((signal) => [signal, process.listenerCount(signal)]));
  const interrupt = (signal: (typeof SIGNALS)[number]): void => {
    if (process.listenerCount(signal) > (others.get(signal) ?? 0) + 1) {
      process.once('exit', () => (process.exitCode = EXIT_CODE));
      return;
    }
    console.error(`\n${message()}`);
    for (const child of children) if (child.pid !== undefined && !leadsAGroup(child.pid)) child.kill('SIGTERM');
    process.exit(EXIT_CODE);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
}
