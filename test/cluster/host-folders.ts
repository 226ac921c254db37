import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Places } from './places.ts';

/** A folder of the machine into which kubelet or a CNI library writes what Pods ask for. */
export interface HostFolder {
  readonly dir: string;
  /** Whether a name can be one of theirs. */
  readonly theirs: (name: string) => boolean;
}

/** Logs of pods that lived when the cluster ended, links to them, and the lock that containerd's CNI library leaves. */
export const HOST_FOLDERS: readonly HostFolder[] = [
  { dir: '/var/log/containers', theirs: (name) => name.endsWith('.log') },
  { dir: '/var/log/pods', theirs: (name) => /^[^_]+_[^_]+_[0-9a-f-]{36}$/.test(name) },
  { dir: '/etc/cni/net.d', theirs: (name) => name === 'cni.lock' },
];

/** Names by folder, as they were before the cluster; null: the folder was not there. Files outlive a reboot. */
type Noted = Record<string, string[] | null>;

function noteOf(places: Places): string {
  return join(places.state, 'shared-folders.json');
}

function namesIn(dir: string): string[] | null {
  return existsSync(dir) ? readdirSync(dir) : null;
}

/** Notes what is there before the cluster writes; a note that is there already is of the same cluster. */
export async function recordHostFolders(places: Places, shared = HOST_FOLDERS): Promise<void> {
  if (existsSync(noteOf(places))) return;
  const noted: Noted = Object.fromEntries(shared.map(({ dir }) => [dir, namesIn(dir)]));
  await mkdir(places.state, { recursive: true });
  await writeFile(noteOf(places), JSON.stringify(noted));
}

/** Removes what was not there before, and the folders that were not, once they are empty. */
export async function restoreHostFolders(places: Places, shared = HOST_FOLDERS): Promise<void> {
  if (!existsSync(noteOf(places))) return;
  const noted = JSON.parse(await readFile(noteOf(places), 'utf8')) as Noted;
  for (const { dir, theirs } of shared) {
    const before = noted[dir] ?? [];
    const added = (namesIn(dir) ?? []).filter((name) => theirs(name) && !before.includes(name));
    for (const name of added) await rm(join(dir, name), { recursive: true, force: true });
    if (noted[dir] === null) await removeEmpty(dir);
  }
  await rm(noteOf(places));
}

/** The folder, and the one around it (`/etc/cni`), which was made with it. */
async function removeEmpty(dir: string): Promise<void> {
  for (const one of [dir, dirname(dir)]) if (namesIn(one)?.length === 0) await rmdir(one);
}
