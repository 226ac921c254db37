import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly exitCode: number;
  readonly seconds: number;
  readonly timedOut: boolean;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** After this the whole process group is ended: TERM, and KILL 10 s later. */
  readonly limitSeconds: number;
  /** Ends the process group with INT, as a terminal does, and with KILL a minute later. */
  readonly signal?: AbortSignal;
  /** Prints the output when the command has ended, so that commands that run at the same time do not mix theirs. */
  readonly collected?: boolean;
}

/** Runs a program in a process group of its own, so that a time-out leaves no grandchild behind. */
export function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [file = '', ...args] = command;
  const started = Date.now();
  const output = options.collected === true ? 'pipe' : 'inherit';
  const child = spawn(file, args, {
    stdio: ['ignore', output, output],
    detached: true,
    env: { ...process.env, ...options.env },
  });
  const collected: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => collected.push(chunk));
  let timedOut = false;
  let killer: NodeJS.Timeout | undefined;
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The group has ended already.
    }
  };
  const end = (signal: NodeJS.Signals, graceMs: number): void => {
    signalGroup(signal);
    killer ??= setTimeout(() => signalGroup('SIGKILL'), graceMs);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end('SIGTERM', 10_000);
  }, options.limitSeconds * 1000);
  const interrupt = (): void => end('SIGINT', 60_000);
  options.signal?.addEventListener('abort', interrupt);
  return new Promise((resolve) => {
    const done = (exitCode: number): void => {
      clearTimeout(timer);
      clearTimeout(killer);
      // What the program started may take no notice of INT or TERM and outlive it.
      if (killer !== undefined) signalGroup('SIGKILL');
      options.signal?.removeEventListener('abort', interrupt);
      process.stdout.write(Buffer.concat(collected));
      resolve({ exitCode, seconds: (Date.now() - started) / 1000, timedOut });
    };
    child.on('error', (error) => {
      console.error(`cannot start ${file}: ${error.message}`);
      done(127);
    });
    child.on('close', (code) => done(code ?? 1));
  });
}
