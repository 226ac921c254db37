import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Places } from './places.ts';
import { say } from './progress.ts';

/**
 * Kubelet and kube-proxy change the machine (`kernel.panic=10` makes it reboot on a panic). So `up` notes these
 * values before anything starts and `down` puts back what differs. A note from before a reboot is void: the reboot
 * has undone everything already.
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

/** Values of one boot. */
export interface SavedSysctls {
  bootId: string;
  values: Record<string, string>;
}

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

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

function noteOf(places: Places): string {
  return join(places.state, 'sysctls.json');
}

async function note(places: Places): Promise<SavedSysctls | undefined> {
  if (!existsSync(noteOf(places))) return undefined;
  return JSON.parse(await readFile(noteOf(places), 'utf8')) as SavedSysctls;
}

/** What to write back: values that differ now, if they were noted in this boot. */
export function toRestore(
  saved: SavedSysctls | undefined,
  now: Record<string, string>,
  boot: string,
): Record<string, string> {
  if (saved?.bootId !== boot) return {};
  return Object.fromEntries(Object.entries(saved.values).filter(([path, value]) => path in now && now[path] !== value));
}

/** Notes the values, unless this boot's are noted already (an `up` that was killed must not note its own changes). */
export async function saveSysctls(places: Places): Promise<void> {
  const boot = await bootId();
  if ((await note(places))?.bootId === boot) return;
  const saved: SavedSysctls = { bootId: boot, values: await read() };
  await mkdir(dirname(noteOf(places)), { recursive: true });
  await writeFile(noteOf(places), JSON.stringify(saved, null, 2));
}

/** Puts the noted values back and forgets them. */
export async function restoreSysctls(places: Places): Promise<void> {
  const changed = toRestore(await note(places), await read(), await bootId());
  for (const [path, value] of Object.entries(changed)) {
    await writeFile(path, value).catch((error: unknown) => {
      say(`  could not put ${path} back to ${value}: ${(error as Error).message}`);
    });
  }
  await rm(noteOf(places), { force: true });
}

/** Pods reach Services only when packets are forwarded and bridged ones pass iptables. */
export async function setSysctls(): Promise<void> {
  for (const name of ['net.ipv4.ip_forward', 'net.bridge.bridge-nf-call-iptables']) {
    if (existsSync(pathOf(name))) await writeFile(pathOf(name), '1');
  }
}
