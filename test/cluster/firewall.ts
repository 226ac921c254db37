import { BRIDGE } from './places.ts';
import { run, tryRun } from './run-command.ts';

/** Lines that are the cluster's: kube-proxy's and kubelet's chains, the CNI plugins', and our own two rules. */
const OURS = /KUBE-|CNI-|--comment "?cbc"? /;

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

/** The whole dump, or the empty string where iptables can't be used. */
export async function firewallDump(family: '' | '6' = ''): Promise<string> {
  return (await tryRun(`ip${family}tables-save`, [])) ?? '';
}

/**
 * Between pods: free. From a pod to the outside: refused at once (REJECT, not DROP), so that a browser's stray call
 * fails instead of hanging, and tests stay hermetic.
 */
export async function addRules(): Promise<void> {
  const comment = ['-m', 'comment', '--comment', 'cbc'];
  await run('iptables', ['-w', '-I', 'FORWARD', '-i', BRIDGE, '!', '-o', BRIDGE, ...comment, '-j', 'REJECT']);
  await run('iptables', ['-w', '-I', 'FORWARD', '-i', BRIDGE, '-o', BRIDGE, ...comment, '-j', 'ACCEPT']);
}

/**
 * Empty tables and base chains stay behind with the nf_tables back end: they decide nothing, but a machine that had
 * none should have none again. Deleting a base chain is refused by older iptables, which is harmless.
 */
async function dropEmptyTables(family: '' | '6', dump: string): Promise<void> {
  if (/^-A /m.test(dump)) return;
  for (const [, table] of dump.matchAll(/^\*(\w+)$/gm))
    await tryRun(`ip${family}tables`, ['-w', '-t', table ?? '', '-X']);
}

/** Removes the cluster's rules from both families, leaving all others as they are. */
export async function removeRules(): Promise<void> {
  for (const family of ['', '6'] as const) {
    const dump = await firewallDump(family);
    const kept = withoutOurs(dump);
    if (kept === dump) continue;
    await run(`ip${family}tables-restore`, ['-w', '10'], { input: kept });
    await dropEmptyTables(family, kept);
  }
}
