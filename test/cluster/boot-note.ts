import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * What `up` found on the machine, for `down` to put back. A note is of one boot: a reboot has undone everything
 * itself. It is written once per cluster, so that an `up` after a killed one doesn't note its own changes.
 */
interface BootNote<T> {
  bootId: string;
  found: T;
}

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** What was noted in this boot, if anything was. */
export async function readNote<T>(path: string): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  const note = JSON.parse(await readFile(path, 'utf8')) as BootNote<T>;
  return note.bootId === (await bootId()) ? note.found : undefined;
}

/** Notes what `look` finds, unless this boot's note is there already. */
export async function noteOnce<T>(path: string, look: () => Promise<T>): Promise<void> {
  if ((await readNote<T>(path)) !== undefined) return;
  const note: BootNote<T> = { bootId: await bootId(), found: await look() };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(note, null, 2));
}

/** Forgets a note once it was acted upon. */
export async function forgetNote(path: string): Promise<void> {
  await rm(path, { force: true });
}
