import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';

/** A command failed; the message is the command and the end of what it said. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export interface RunOptions {
  readonly input?: string;
  readonly limitMs?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program without a shell and returns its stdout. @throws CommandFailed */
export async function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const running = promisify(execFile)(file, [...args], {
    timeout: options.limitMs ?? 120_000,
    maxBuffer: 64 * 1024 * 1024,
    env: options.env ?? process.env,
  });
  running.child.stdin?.end(options.input ?? '');
  try {
    return (await running).stdout;
  } catch (error) {
    throw new CommandFailed(`${file} ${args.slice(0, 4).join(' ')} failed: ${lastWords(error)}`);
  }
}

function lastWords(error: unknown): string {
  const { stderr, stdout } = error as { stderr?: string; stdout?: string };
  return (stderr || stdout || String(error)).trim().slice(-1500);
}

/** `kubectl` with the cluster of the environment (KUBECONFIG). */
export function kubectl(args: readonly string[], options: RunOptions = {}): Promise<string> {
  return run('kubectl', args, options);
}

/** A `kubectl port-forward` until it is ended. */
export interface Forward {
  readonly url: string;
  readonly stop: () => void;
}

/** Forwards a free loopback port to a service's port. @throws CommandFailed when it is not up within 20 s */
export function portForward(namespace: string, target: string, port: number): Promise<Forward> {
  const child: ChildProcess = spawn('kubectl', ['-n', namespace, 'port-forward', target, `:${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => fail('did not start within 20 s'), 20_000);
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill();
      reject(new CommandFailed(`port-forward to ${target} ${why}: ${said.trim().slice(-500)}`));
    };
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve({ url: `http://127.0.0.1:${found}`, stop: () => void child.kill() });
    });
    child.on('error', (error) => fail(error.message));
    child.on('exit', () => fail('ended'));
  });
}
