import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { forgetNote, noteOnce, readNote } from './boot-note.ts';
import { API_PORT, BRIDGE, type Places } from './places.ts';
import { run, tryRun } from './run-command.ts';

/** Lines that are the cluster's: kube-proxy's and kubelet's chains, the CNI plugins', and our own chain and rules. */
const OURS = /KUBE-|CNI-|CBC-|--comment "?cbc"? /;

type Family = '' | '6';
const FAMILIES: readonly Family[] = ['', '6'];

/** A dump of `iptables-save` without the cluster's chains and rules. */
export function withoutOurs(dump: string): string {
  return dump
    .split('\n')
    .filter((line) => !OURS.test(`${line} `))
    .join('\n');
}

/** Whether some other Kubernetes (or a cluster that was not torn down) has chains here. */
export function hasKubernetesChains(dump: string): boolean {
  return /^:KUBE-/m.test(dump);
}

/** Tables in a dump that decide nothing: no rule, no chain besides the built-in ones, every policy ACCEPT. */
export function emptyTables(dump: string): string[] {
  return [...dump.matchAll(/^\*(\w+)\n((?:.*\n)*?)COMMIT$/gm)]
    .filter(([, , body]) => (body ?? '').split('\n').every((line) => line === '' || /^:\S+ ACCEPT /.test(line)))
    .map(([, table]) => table ?? '');
}

/** The whole dump, or the empty string where iptables can't be used. */
export async function firewallDump(family: Family = ''): Promise<string> {
  return (await tryRun(`ip${family}tables-save`, [])) ?? '';
}

function tablesOf(dump: string): string[] {
  return [...dump.matchAll(/^\*(\w+)$/gm)].map(([, table]) => table ?? '');
}

function noteOf(places: Places): string {
  return join(places.state, 'firewall-tables.json');
}

/** Notes which tables there are before anything adds to them. */
export async function noteTables(places: Places): Promise<void> {
  await noteOnce(noteOf(places), async () => ({
    '': tablesOf(await firewallDump('')),
    '6': tablesOf(await firewallDump('6')),
  }));
}

/**
 * Between pods: free. From a pod to the outside: refused at once (REJECT, not DROP), so that a browser's stray call
 * fails instead of hanging, and tests stay hermetic.
 */
export async function addRules(): Promise<void> {
  const comment = ['-m', 'comment', '--comment', 'cbc'];
  await run('iptables', ['-w', '-I', 'FORWARD', '-i', BRIDGE, '!', '-o', BRIDGE, ...comment, '-j', 'REJECT']);
  await run('iptables', ['-w', '-I', 'FORWARD', '-i', BRIDGE, '-o', BRIDGE, ...comment, '-j', 'ACCEPT']);
  await guardApi('');
  if (existsSync('/proc/net/if_inet6')) await guardApi('6');
}

const API_CHAIN = 'CBC-API';

/**
 * The API server needs two addresses (loopback, so that a machine's proxy settings leave it alone, and the bridge's for
 * pods) and takes one or all. It listens on all; whoever comes by another interface is refused here.
 */
async function guardApi(family: Family): Promise<void> {
  const tables = (...args: string[]): Promise<string> => run(`ip${family}tables`, ['-w', ...args]);
  await tables('-N', API_CHAIN);
  for (const inside of ['lo', BRIDGE]) await tables('-A', API_CHAIN, '-i', inside, '-j', 'RETURN');
  await tables('-A', API_CHAIN, '-j', 'REJECT');
  const toApi = ['-p', 'tcp', '--dport', String(API_PORT)];
  await tables('-I', 'INPUT', ...toApi, '-m', 'comment', '--comment', 'cbc', '-j', API_CHAIN);
}

/**
 * The nf_tables back end leaves empty tables behind, which iptables itself can't delete. They decide nothing, but a
 * machine that had none should have none again.
 */
async function dropTables(family: Family, before: readonly string[]): Promise<void> {
  const added = emptyTables(await firewallDump(family)).filter((table) => !before.includes(table));
  for (const table of added) await tryRun('nft', ['delete', 'table', `ip${family}`, table]);
}

/** Removes the cluster's rules, and the tables made for them, from both families; all others stay as they are. */
export async function removeRules(places: Places): Promise<void> {
  const before = await readNote<Record<Family, string[]>>(noteOf(places));
  for (const family of FAMILIES) {
    const dump = await firewallDump(family);
    const kept = withoutOurs(dump);
    if (kept !== dump) await run(`ip${family}tables-restore`, ['-w', '10'], { input: kept });
    if (before !== undefined) await dropTables(family, before[family]);
  }
  await forgetNote(noteOf(places));
}
