import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetNote, noteOnce, readNote } from './boot-note.ts';
import type { Places } from './places.ts';
import { say } from './progress.ts';

/**
 * Kubelet and kube-proxy change the machine (`kernel.panic=10` makes it reboot on a panic). So `up` notes these
 * values before anything starts and `down` puts back what differs.
 */
const NAMES = [
  'net.ipv4.ip_forward',
  'net.ipv4.conf.all.route_localnet',
  'net.bridge.bridge-nf-call-iptables',
  'vm.overcommit_memory',
  'vm.panic_on_oom',
  'kernel.panic',
  'kernel.panic_on_oops',
  'kernel.keys.root_maxkeys',
  'kernel.keys.root_maxbytes',
];
const CONNTRACK = '/proc/sys/net/netfilter';
/** Counts and sizes that are not ours to set. */
const READ_ONLY = new Set(['nf_conntrack_count', 'nf_conntrack_buckets']);

function pathOf(name: string): string {
  return join('/proc/sys', name.replaceAll('.', '/'));
}

async function paths(): Promise<string[]> {
  const listed = existsSync(CONNTRACK) ? await readdir(CONNTRACK) : [];
  const conntrack = listed.filter((name) => name.startsWith('nf_conntrack_') && !READ_ONLY.has(name));
  return [...NAMES.map(pathOf), ...conntrack.map((name) => join(CONNTRACK, name))].filter((path) => existsSync(path));
}

async function read(): Promise<Record<string, string>> {
  const pairs = await Promise.all((await paths()).map(async (path) => [path, (await readFile(path, 'utf8')).trim()]));
  return Object.fromEntries(pairs) as Record<string, string>;
}

function noteOf(places: Places): string {
  return join(places.state, 'sysctls.json');
}

/** The values to write back: those that differ from what was noted and still exist. */
export function toRestore(noted: Record<string, string>, now: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(noted).filter(([path, value]) => path in now && now[path] !== value));
}

/** Notes the values before anything changes them. */
export async function noteSysctls(places: Places): Promise<void> {
  await noteOnce(noteOf(places), read);
}

/** Puts the noted values back and forgets them. */
export async function restoreSysctls(places: Places): Promise<void> {
  const noted = (await readNote<Record<string, string>>(noteOf(places))) ?? {};
  for (const [path, value] of Object.entries(toRestore(noted, await read()))) {
    await writeFile(path, value).catch((error: unknown) => {
      say(`  could not put ${path} back to ${value}: ${(error as Error).message}`);
    });
  }
  await forgetNote(noteOf(places));
}

/** Pods reach Services only when packets are forwarded and bridged ones pass iptables. */
export async function setSysctls(): Promise<void> {
  for (const name of ['net.ipv4.ip_forward', 'net.bridge.bridge-nf-call-iptables']) {
    if (existsSync(pathOf(name))) await writeFile(pathOf(name), '1');
  }
}
