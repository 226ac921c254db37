import { existsSync } from 'node:fs';
import { readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalIfThere } from './host-process.ts';

const ROOT = '/sys/fs/cgroup';
const NAME = 'kubepods';
const REAP_MS = 5_000;

/** The `kubepods` group of every hierarchy: cgroup v1 has several, v2 and the hybrid's unified one each. */
async function groups(): Promise<string[]> {
  const hierarchies = existsSync(ROOT) ? await readdir(ROOT) : [];
  const candidates = [join(ROOT, NAME), ...hierarchies.map((name) => join(ROOT, name, NAME))];
  return candidates.filter((path) => existsSync(path));
}

/** A group and all below it, deepest first. */
async function tree(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const below = await Promise.all(entries.filter((e) => e.isDirectory()).map((e) => tree(join(path, e.name))));
  return [...below.flat(), path];
}

async function processes(path: string): Promise<number[]> {
  const text = await readFile(join(path, 'cgroup.procs'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** Kills what still runs in pods' cgroups: being in there is proof enough that a pod started it. */
export async function killPodProcesses(): Promise<void> {
  for (const group of await groups()) {
    for (const path of await tree(group)) {
      for (const pid of await processes(path)) signalIfThere(pid, 'SIGKILL');
    }
  }
}

/** Busy until the kernel has reaped the last process, which takes it a moment. */
async function removeGroup(path: string): Promise<void> {
  const limit = Date.now() + REAP_MS;
  while (existsSync(path)) {
    try {
      await rmdir(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && Date.now() >= limit) throw error;
      await sleep(50);
    }
  }
}

/** Removes the pods' cgroups from every hierarchy; they must be empty of processes. */
export async function removePodCgroups(): Promise<void> {
  for (const group of await groups()) {
    for (const path of await tree(group)) await removeGroup(path);
  }
}
