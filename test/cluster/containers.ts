import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { signalIfThere } from './host-process.ts';
import { ctr } from './load-archive.ts';
import { CONTAINERD_SOCKET } from './places.ts';
import { CommandFailed } from './run-command.ts';

/** containerd's directory for them, which no option changes. */
const SHIM_SOCKETS = '/run/containerd/s';

function words(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
  }
}

/**
 * Ends and removes every container that kubelet made: left in containerd, they would make a confusing past for the
 * next cluster. Needs a running containerd.
 * @returns how many there were
 */
export async function removeContainers(): Promise<number> {
  const ids = words(await ctr(['containers', 'ls', '-q']));
  const tasks = new Set(words(await ctr(['tasks', 'ls', '-q'])));
  await Promise.all(
    ids.map(async (id) => {
      if (tasks.has(id)) {
        await quietly(ctr(['tasks', 'kill', '-s', 'SIGKILL', '-a', id]));
        await quietly(ctr(['tasks', 'rm', '-f', id]));
      }
      await quietly(ctr(['containers', 'rm', id]));
    }),
  );
  return ids.length;
}

/** The `-id` of a shim of our containerd, from its command line; undefined for every other process. */
export function ourShimId(cmdline: string): string | undefined {
  const argv = cmdline.split('\0');
  const ours = (argv[0] ?? '').includes('containerd-shim-runc') && argv.includes(CONTAINERD_SOCKET);
  return ours ? argv[argv.indexOf('-id') + 1] : undefined;
}

/** Where containerd 1.6 puts a shim's socket, whatever its state directory is. */
function shimSocket(id: string): string {
  const name = createHash('sha256')
    .update(join(CONTAINERD_SOCKET, 'k8s.io', id))
    .digest('hex');
  return join(SHIM_SOCKETS, name);
}

async function removeIfEmpty(dir: string): Promise<void> {
  if (existsSync(dir) && readdirSync(dir).length === 0) await rmdir(dir);
}

/** Ends shims that a killed containerd left behind; their command line names our socket. */
export async function killShims(): Promise<void> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const id = ourShimId(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    if (id === undefined) continue;
    signalIfThere(Number(pid), 'SIGKILL');
    await rm(shimSocket(id), { force: true });
  }
  for (const dir of [SHIM_SOCKETS, dirname(SHIM_SOCKETS)]) await removeIfEmpty(dir);
}
