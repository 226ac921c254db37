import { readdirSync, readFileSync } from 'node:fs';

/** A process as in /proc. */
export interface Running {
  readonly pid: number;
  readonly parent: number;
  /** At most 15 characters, as the kernel keeps it. */
  readonly name: string;
  /** User and system time, including the children that it has waited for. */
  readonly cpuSeconds: number;
}

/** Linux' `sysconf(_SC_CLK_TCK)`, the same on every machine that runs this. */
const TICKS_PER_SECOND = 100;

/** @returns null when there is no such process (any more). */
export function look(pid: number): Running | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name is in parentheses and may contain any character.
  const end = stat.lastIndexOf(')');
  const rest = stat.slice(end + 2).split(' ');
  const ticks = rest.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return {
    pid,
    parent: Number(rest[1]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    cpuSeconds: ticks / TICKS_PER_SECOND,
  };
}

/** A process and all its descendants. */
export function tree(root: number): readonly Running[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const running = all.map((name) => look(Number(name))).filter((found) => found !== null);
  const below = new Set([root]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const { pid, parent } of running) if (below.has(parent)) below.add(pid);
  }
  return running.filter(({ pid }) => below.has(pid));
}

/** CPU seconds of these processes so far. A process that exited no longer counts, so keep them running while measuring. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (look(pid)?.cpuSeconds ?? 0), 0);
}

/** A variable of a running process' environment. */
export function environmentOf(pid: number, name: string): string {
  const entries = readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
