import { setTimeout as sleep } from 'node:timers/promises';
import { COMPONENT_NAMES } from './components.ts';
import { isAlive, recordedProcess } from './host-process.ts';
import type { Places } from './places.ts';
import { apiIsReady, dnsAnswers, etcdIsHealthy, nodeIsReady, registryAnswers, s3Answers } from './probes.ts';

/** One part of the cluster and how it is. */
export interface PartHealth {
  part: string;
  ok: boolean;
  detail: string;
}

const NOT_STARTED = 'not started';
/** Every process that `up` starts. */
export const PROCESSES: readonly string[] = [...COMPONENT_NAMES, 's3'];

async function processHealth(name: string): Promise<PartHealth> {
  const recorded = await recordedProcess(name);
  if (recorded === undefined) return { part: name, ok: false, detail: NOT_STARTED };
  const ok = isAlive(recorded);
  return { part: name, ok, detail: ok ? `pid ${recorded.pid}` : `ended; its log: ${recorded.log}` };
}

async function answer(part: string, ask: () => Promise<boolean>): Promise<PartHealth> {
  try {
    const ok = await ask();
    return { part, ok, detail: ok ? 'answers' : 'does not answer as it should' };
  } catch (error) {
    return { part, ok: false, detail: (error as Error).message };
  }
}

/** Questions by name; none has the name of a process, or it would be taken for one. */
export const SERVICES: Record<string, (places: Places) => Promise<boolean>> = {
  'etcd health': etcdIsHealthy,
  'API ready': apiIsReady,
  'node Ready': nodeIsReady,
  'cluster DNS': dnsAnswers,
  'registry API': registryAnswers,
  'S3 API': () => s3Answers(),
};

/** Every process and every service of the cluster, asked now (at most 2 s). */
export function clusterHealth(places: Places): Promise<PartHealth[]> {
  const asked = Object.entries(SERVICES).map(([part, ask]) => answer(part, () => ask(places)));
  return Promise.all([...PROCESSES.map(processHealth), ...asked]);
}

/**
 * `up`: everything is well. `down`: nothing was started. `silent`: every process lives but a service doesn't answer,
 * as on a machine under load. `broken`: a process has ended, or something else answers in its place.
 */
export type ClusterState = { state: 'up' | 'down' } | { state: 'silent' | 'broken'; broken: PartHealth[] };

/** What the parts' health says about the whole. */
export function stateOf(parts: readonly PartHealth[]): ClusterState {
  const broken = parts.filter((part) => !part.ok);
  if (broken.length === 0) return { state: 'up' };
  const processes = parts.filter(({ part }) => PROCESSES.includes(part));
  if (processes.every(({ detail }) => detail === NOT_STARTED)) return { state: 'down' };
  return { state: processes.every(({ ok }) => ok) ? 'silent' : 'broken', broken };
}

/** How long a service may be silent before the cluster counts as broken: a restart would end everybody's pods. */
const PATIENCE_MS = 30_000;

/** The state of the cluster, asked again while its processes live but a service is silent (at most 30 s). */
export async function settledState(places: Places): Promise<ClusterState> {
  const limit = Date.now() + PATIENCE_MS;
  let state = stateOf(await clusterHealth(places));
  while (state.state === 'silent' && Date.now() < limit) {
    await sleep(500);
    state = stateOf(await clusterHealth(places));
  }
  return state;
}
