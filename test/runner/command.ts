import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly exitCode: number;
  readonly seconds: number;
  readonly timedOut: boolean;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** After this the whole process group is killed: TERM, and KILL 10 s later. */
  readonly limitSeconds: number;
}

/** Runs a program with our output, in a process group of its own so that a time-out leaves no grandchild behind. */
export function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [file = '', ...args] = command;
  const started = Date.now();
  const child = spawn(file, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, ...options.env },
  });
  let timedOut = false;
  let killer: NodeJS.Timeout | undefined;
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The group is gone already, which is what was wanted.
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    signalGroup('SIGTERM');
    killer = setTimeout(() => signalGroup('SIGKILL'), 10_000);
  }, options.limitSeconds * 1000);
  return new Promise((resolve) => {
    const done = (exitCode: number): void => {
      clearTimeout(timer);
      clearTimeout(killer);
      resolve({ exitCode, seconds: (Date.now() - started) / 1000, timedOut });
    };
    child.on('error', (error) => {
      console.error(`cannot start ${file}: ${error.message}`);
      done(127);
    });
    child.on('close', (code) => done(code ?? 1));
  });
}
