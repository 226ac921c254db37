import { addRules, removeRules } from './firewall.ts';
import { BRIDGE, NODE_IP, SERVICE_CIDR, SIMULATED_POD_CIDR, type Places } from './places.ts';
import { run, tryRun } from './run-command.ts';
import { setSysctls } from './sysctls.ts';

function ip(...args: string[]): Promise<string> {
  return run('ip', args);
}

/**
 * The bridge is there before kubelet starts: kubelet refuses a loopback address for its node, and every other address
 * differs between machines. Service addresses never leave by the default route, nor do those of simulated pods.
 */
export async function raiseNetwork(): Promise<void> {
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('addr', 'replace', `${NODE_IP}/24`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up');
  await ip('route', 'replace', SERVICE_CIDR, 'dev', BRIDGE);
  await ip('route', 'replace', 'unreachable', SIMULATED_POD_CIDR);
  await setSysctls();
  await addRules();
}

/** Interfaces that `ip -o link` shows, by their names without `@peer`. */
export function interfaceNames(listing: string): string[] {
  return [...listing.matchAll(/^\d+: ([^:@]+)[@:]/gm)].map(([, name]) => name ?? '');
}

/** Removes bridge, its veths, routes and rules; each may be missing. */
export async function dropNetwork(places: Places): Promise<void> {
  const veths = (await tryRun('ip', ['-o', 'link', 'show', 'master', BRIDGE])) ?? '';
  for (const name of interfaceNames(veths)) await tryRun('ip', ['link', 'delete', name]);
  await tryRun('ip', ['link', 'delete', BRIDGE]);
  await tryRun('ip', ['route', 'delete', 'unreachable', SIMULATED_POD_CIDR]);
  await removeRules(places);
}
