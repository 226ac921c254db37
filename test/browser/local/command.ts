import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** `clawbench local` as a person starts it, and its output. */
export interface LocalCommand {
  readonly process: ChildProcess;
  readonly events: readonly LocalEvent[];
  /** The first event of this name, now or later. Rejects when the command exits without it. */
  readonly next: (name: string) => Promise<LocalEvent>;
  readonly exited: Promise<number | null>;
  /** Everything on stderr so far. */
  readonly log: () => string;
}

export interface LocalEvent {
  readonly event: string;
  readonly cdp?: string;
  readonly control?: string;
  readonly proxy?: string;
  readonly pids?: { readonly recorder: number; readonly browser: number };
  readonly outcome?: string;
  readonly stopReason?: string;
  readonly reason?: string;
  readonly bundle?: string;
  readonly url?: string;
  readonly method?: string;
}

const LAUNCHER = join(import.meta.dirname, '../../../bin/clawbench');

export function startLocal(args: readonly string[], env: Record<string, string> = {}): LocalCommand {
  const child = spawn(LAUNCHER, ['local', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const events: LocalEvent[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const look of waiting) look();
  };
  let log = '';
  let over = false;
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as LocalEvent);
    changed();
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      over = true;
      changed();
      resolve(code);
    });
  });
  return {
    process: child,
    events,
    exited,
    log: () => log,
    next: (name) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(({ event }) => event === name);
          if (found === undefined && !over) return;
          waiting.delete(look);
          if (found === undefined) reject(new Error(`ended without "${name}":\n${log}`));
          else resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** A folder for one test, with a task and a place for its bundle. */
export interface Workplace {
  readonly task: string;
  readonly out: string;
  read(path: string): string;
  json(path: string): Record<string, unknown>;
  remove(): void;
}

export function makeWorkplace(evalSchema: object, more: object = {}): Workplace {
  const root = mkdtempSync(join(tmpdir(), 'local-test-'));
  const task = join(root, '7-order');
  mkdirSync(task);
  const content = { instruction: 'Order the lamp.', eval_schema: evalSchema, time_limit: 5, ...more };
  writeFileSync(join(task, 'task.json'), JSON.stringify(content));
  const out = join(root, 'out');
  const read = (path: string): string => readFileSync(join(out, path), 'utf8');
  return {
    task,
    out,
    read,
    json: (path) => JSON.parse(read(path)) as Record<string, unknown>,
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
