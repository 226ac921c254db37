import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bringUp, prepare } from './bring-up.ts';
import { firewallDump, hasKubernetesChains } from './firewall.ts';
import { settledState } from './health.ts';
import { withLock } from './machine-lock.ts';
import { activeMarker, clusterPlaces, type Places } from './places.ts';
import { refuseTakenPorts } from './ports.ts';
import { elapsed, say, step } from './progress.ts';
import { tearDown } from './tear-down.ts';

/** Name of the lock that every change to the cluster is made under. */
const CLUSTER_LOCK = 'cluster';

const DOWN_WAITS_MS = 120_000;

function refuseUnlessPossible(): void {
  if (process.platform !== 'linux') {
    throw new Error(
      'The embedded cluster needs Linux. Use a cluster of your own (--context NAME), or Docker and kind.',
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      'The embedded cluster needs root (mounts, cgroups, iptables): run it as root, or use --context NAME.',
    );
  }
}

async function refuseBesideAnother(places: Places): Promise<void> {
  if (existsSync(places.dirty) || !hasKubernetesChains(await firewallDump())) return;
  throw new Error(
    'Another Kubernetes has iptables chains on this machine; two would break each other. Use that one: --context NAME.',
  );
}

async function isHealthy(places: Places): Promise<boolean> {
  const found = await settledState(places);
  if (found.state === 'silent' || found.state === 'broken') {
    say('The cluster is not healthy and is started again:');
    for (const { part, detail } of found.broken) say(`  ${part}: ${detail}`);
  }
  return found.state === 'up';
}

/** Runs `work` so that an interrupt ends it by an error (and so by tearing down), not with half a cluster left. */
async function interruptibly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupt = new AbortController();
  const note = (name: NodeJS.Signals): void => {
    interrupt.abort(new Error(`interrupted by ${name}`));
  };
  process.on('SIGINT', note).on('SIGTERM', note);
  try {
    await work(interrupt.signal);
    interrupt.signal.throwIfAborted();
  } finally {
    process.off('SIGINT', note).off('SIGTERM', note);
  }
}

async function startAgain(places: Places): Promise<void> {
  await refuseBesideAnother(places);
  const bin = await prepare();
  if (existsSync(places.dirty)) await step('clearing what an earlier cluster left', () => tearDown(places));
  await refuseTakenPorts();
  await interruptibly(async (signal) => {
    try {
      await bringUp(places, bin, signal);
    } catch (error) {
      say('up failed; taking everything down again');
      await tearDown(places);
      say(`Logs are kept in ${places.logs}.`);
      throw error;
    }
  });
}

/**
 * Makes sure that the cluster runs: at once when it is healthy, else from scratch. `waitMs` lets it wait for another
 * `up` or `down` that is at work (default: refuse and say so).
 * @returns its places (`kubeconfig` among them)
 * @throws {LockHeld} when another `up` or `down` is at work; any error of a failed start, after tearing down
 */
export async function up(waitMs = 0): Promise<Places> {
  refuseUnlessPossible();
  return withLock(CLUSTER_LOCK, { doing: 'cluster up', waitMs }, async () => {
    const places = clusterPlaces();
    if (await isHealthy(places)) return places;
    const start = Date.now();
    await startAgain(places);
    say(`The cluster is up after ${elapsed(Date.now() - start)}.`);
    return places;
  });
}

/** Ends the cluster and undoes its changes to the machine. `purge` also deletes keys, images and logs. */
export async function down(purge = false): Promise<void> {
  refuseUnlessPossible();
  await withLock(CLUSTER_LOCK, { doing: 'cluster down', waitMs: DOWN_WAITS_MS }, async () => {
    const places = clusterPlaces();
    await step('taking the cluster down', () => tearDown(places));
    if (purge) await rm(places.dir, { recursive: true, force: true });
  });
}

/** Whether an embedded cluster was started on this machine and not taken down, well or not. */
export function embeddedIsUp(): boolean {
  return existsSync(activeMarker());
}

/** Whether a kubeconfig path is the embedded cluster's own. */
export function isEmbedded(kubeconfig: string): boolean {
  const { kubeconfig: own } = clusterPlaces();
  if (kubeconfig === own) return true;
  const context = '"current-context": "clawbench-embedded"';
  return existsSync(kubeconfig) && readFileSync(kubeconfig, 'utf8').includes(context);
}

/** The program of that name among those that were built: kubectl, helm, kwok, versitygw. */
export async function builtProgram(name: 'kubectl' | 'helm' | 'kwok' | 'versitygw'): Promise<string> {
  return join(await prepare(), name);
}
