import { readdir, readFile } from 'node:fs/promises';
import { signalIfThere } from './host-process.ts';
import { ctr } from './load-archive.ts';
import { CONTAINERD_SOCKET } from './places.ts';
import { CommandFailed } from './run-command.ts';

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

/** Whether a command line is that of a shim of our containerd. */
export function isOurShim(cmdline: string): boolean {
  const argv = cmdline.split('\0');
  return (argv[0] ?? '').includes('containerd-shim-runc') && argv.includes(CONTAINERD_SOCKET);
}

/** Ends shims that a killed containerd left behind; their command line names our socket. */
export async function killShims(): Promise<void> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const cmdline = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (isOurShim(cmdline)) signalIfThere(Number(pid), 'SIGKILL');
  }
}
