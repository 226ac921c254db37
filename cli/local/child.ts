import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** A program started in its own process group, so that Ctrl-C in the terminal does not reach Chromium. */
export interface ChildProgram {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<number>;
  /** Sends SIGTERM, and SIGKILL to the whole process group after `graceMs`. */
  end(graceMs: number): Promise<void>;
}

/** Starts a program. @throws Error when it cannot be started */
export function startChildProgram(command: string, args: readonly string[], options: SpawnOptions): ChildProgram {
  const process = spawn(command, args, { ...options, detached: true });
  const exited = new Promise<number>((resolve) => {
    process.once('exit', (code, signal) => {
      resolve(code ?? (signal === null ? 1 : 128));
    });
    process.once('error', () => {
      resolve(127);
    });
  });
  const { pid } = process;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  return {
    process,
    pid,
    exited,
    end: async (graceMs) => {
      signal(pid, 'SIGTERM');
      const killer = setTimeout(() => {
        signal(-pid, 'SIGKILL');
      }, graceMs);
      await exited;
      clearTimeout(killer);
      // Processes that it left behind in its group, such as forwarders.
      signal(-pid, 'SIGKILL');
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited already.
  }
}
