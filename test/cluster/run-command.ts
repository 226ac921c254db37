import { spawn } from 'node:child_process';

/** A command that ended badly, with the end of what it printed. */
export class CommandFailed extends Error {
  readonly command: string;
  readonly code: number | null;
  readonly output: string;

  constructor(command: string, code: number | null, output: string) {
    super(`${command} ${code === null ? 'was ended' : `exited with ${code}`}${output ? `:\n${output}` : ''}`);
    this.name = 'CommandFailed';
    this.command = command;
    this.code = code;
    this.output = output;
  }
}

export interface CommandOptions {
  cwd?: string;
  /** Added to this process's environment. */
  env?: Record<string, string>;
  input?: string;
  /** The command is killed after this many milliseconds (default 60,000): nothing here waits without end. */
  limitMs?: number;
  /** Takes standard error line by line; lines for which it returns true are progress and are left out of an error's text. */
  onLine?: (line: string) => boolean;
}

const KEPT_LINES = 25;

/** The last lines of a text, for error messages. */
export function tail(text: string, lines: number = KEPT_LINES): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Runs a program without a shell and gives its standard output.
 * @throws {CommandFailed} when it can't be started, exits non-zero, or outlives `limitMs`.
 */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const shown = [program, ...args].join(' ').slice(0, 300);
  const limitMs = options.limitMs ?? 60_000;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let both = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      stdout += part;
      both = (both + part).slice(-20_000);
    });
    const keep = (part: string): void => {
      both = (both + part).slice(-20_000);
    };
    const { onLine } = options;
    child.stderr?.setEncoding('utf8').on('data', onLine === undefined ? keep : linesOf(onLine, keep));
    child.on('error', (error) => {
      reject(new CommandFailed(shown, null, error.message));
    });
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandFailed(shown, code, code === null ? `${tail(both)}\n(limit ${limitMs} ms)` : tail(both)));
    });
    if (options.input !== undefined) child.stdin?.on('error', () => undefined).end(options.input);
  });
}

/** Cuts what comes in pieces into lines, and keeps those that are no progress. A last line without an end is left out. */
function linesOf(onLine: (line: string) => boolean, keep: (text: string) => void): (part: string) => void {
  let open = '';
  return (part) => {
    const lines = (open + part).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) if (!onLine(line)) keep(`${line}\n`);
  };
}

/** Like `run`, for questions whose answer may be "no": undefined instead of a throw. */
export async function tryRun(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string | undefined> {
  try {
    return await run(program, args, options);
  } catch (error) {
    if (error instanceof CommandFailed) return undefined;
    throw error;
  }
}
