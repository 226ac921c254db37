import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Component } from './components.ts';
import { RUN_DIR } from './places.ts';
import { tail } from './run-command.ts';

/**
 * Host processes outlive the tool that starts them, so they are known by pid files. A pid alone may have become
 * another process's (a reboot, a wrapped counter): it counts only with the command line and start time that were
 * recorded, and nothing is ever killed by name.
 */
const PIDS = join(RUN_DIR, 'pids');

/** Neither the caller's secrets nor its HTTP proxy, which would stand between API server and webhooks. */
const BARE_ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' };

/** What a pid file holds. */
export interface Recorded {
  pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks after boot. */
  startTime: string;
  argv: string[];
  log: string;
}

/** Field 22 of a /proc/PID/stat line; the command in parentheses before it may contain anything. */
export function startTimeOf(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

/** Whether the recorded process still runs (a zombie doesn't). */
export function isAlive(recorded: Recorded): boolean {
  const proc = `/proc/${recorded.pid}`;
  if (startTimeOf(readOr(`${proc}/stat`, '')) !== recorded.startTime) return false;
  const argv = readOr(`${proc}/cmdline`, '').split('\0').slice(0, -1);
  return argv.length > 0 && argv.join('\0') === recorded.argv.join('\0');
}

function pidFile(name: string): string {
  return join(PIDS, `${name}.json`);
}

/** The process of that name, whether or not it still runs. */
export async function recordedProcess(name: string): Promise<Recorded | undefined> {
  if (!existsSync(pidFile(name))) return undefined;
  return JSON.parse(await readFile(pidFile(name), 'utf8')) as Recorded;
}

/** Names of all processes that were started and not yet stopped. */
export async function recordedNames(): Promise<string[]> {
  if (!existsSync(PIDS)) return [];
  const files = await readdir(PIDS);
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
}

/** The end of a process's log. */
export function logEnd(log: string): string {
  return tail(readOr(log, '(no log)'));
}

/** A process of the cluster that ended although it should run. */
export class ComponentDied extends Error {
  constructor(name: string, log: string) {
    super(`${name} ended; the end of ${log}:\n${logEnd(log)}`);
    this.name = 'ComponentDied';
  }
}

/**
 * Starts a component in a session of its own, with its standard input closed and its output in a log (the log before
 * is kept as `.1`).
 */
export async function startProcess(component: Component, logs: string): Promise<Recorded> {
  await Promise.all([mkdir(PIDS, { recursive: true }), mkdir(logs, { recursive: true })]);
  const log = join(logs, `${component.name}.log`);
  if (existsSync(log)) await rename(log, `${log}.1`);
  const out = openSync(log, 'a', 0o600);
  try {
    const child = spawn(component.program, component.args, {
      cwd: '/',
      detached: true,
      env: { ...BARE_ENVIRONMENT, ...component.env },
      stdio: ['ignore', out, out],
    });
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => {
        resolve(child.pid ?? 0);
      });
    });
    child.unref();
    const startTime = startTimeOf(readOr(`/proc/${pid}/stat`, '')) ?? '';
    const recorded: Recorded = { pid, startTime, argv: [component.program, ...component.args], log };
    await writeFile(pidFile(component.name), JSON.stringify(recorded));
    return recorded;
  } finally {
    closeSync(out);
  }
}

/** Sends a signal to a process that may have ended meanwhile. */
export function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function signal(recorded: Recorded, name: NodeJS.Signals): void {
  if (isAlive(recorded)) signalIfThere(recorded.pid, name);
}

async function ended(recorded: Recorded, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  while (isAlive(recorded)) {
    if (Date.now() >= limit) return false;
    await sleep(30);
  }
  return true;
}

/**
 * Ends a recorded process: TERM, then KILL after `graceMs` (0: KILL at once). Forgets its pid file.
 * @throws when it is still there 10 s after KILL (a kernel that can't end it)
 */
export async function stopProcess(name: string, graceMs: number): Promise<void> {
  const recorded = await recordedProcess(name);
  if (recorded === undefined) return;
  if (graceMs > 0) signal(recorded, 'SIGTERM');
  if (graceMs === 0 || !(await ended(recorded, graceMs))) signal(recorded, 'SIGKILL');
  if (!(await ended(recorded, 10_000))) throw new Error(`${name} (pid ${recorded.pid}) can't be ended.`);
  await rm(pidFile(name), { force: true });
}
