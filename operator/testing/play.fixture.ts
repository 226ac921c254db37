import type { ClawBenchBatchSpecInput } from '../../crds/batch.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { controllerOf, type KubeObject } from '../../kube/object.ts';
import { aLiveBatch } from '../batch/batch.fixture.ts';
import { createBatchReconciler } from '../batch/reconcile.ts';
import { createRunDispatcher } from '../controllers.ts';
import { createSweeper } from '../mailbox-cleanup/sweeper.ts';
import { Kubelet, type Fate, type Script } from './kubelet.fixture.ts';
import { keysOf, Killed, World } from './world.fixture.ts';

/** The report of a pod whose agent sent the terminal request. */
export const INTERCEPTED = {
  outcome: 'JudgePending',
  reason: 'Intercepted',
  intercepted: true,
  stopReason: 'eval_matched',
} as const;

export interface PlayResult {
  readonly outcomes: Record<string, string>;
  readonly phase: string | undefined;
  readonly writes: number;
  readonly deaths: number;
  readonly kubelet: Kubelet;
  readonly world: World;
  /** Plays that many further turns. */
  readonly playTurns: (turns: number) => Promise<void>;
}

export interface Play {
  readonly kill?: World['kill'];
  readonly fate?: (run: string, attempt: number) => Fate;
  readonly change?: Partial<ClawBenchBatchSpecInput>;
  /** In each turn the caches show only what existed before it. */
  readonly lagging?: boolean;
  /** Something that happens before a turn. */
  readonly event?: (world: World, turn: number) => void;
  readonly turns?: number;
  /** See the kubelet's script; the suite exists at first. */
  readonly requireMounts?: boolean;
  /** See the kubelet's script. */
  readonly verdicts?: Script['verdicts'];
  /** See the kubelet's script. */
  readonly spends?: Script['spends'];
  /** See the kubelet's script. */
  readonly job?: (name: string) => object | 'stuck' | undefined;
}

/** Plays a batch of four tasks to its end, with a new operator after each crash. */
export async function play(input: Play): Promise<PlayResult> {
  const { turns = 120, fate = (): Fate => INTERCEPTED } = input;
  const world = begin(input);
  const kubelet = new Kubelet(world, {
    tasks: ['001-a', '002-b', '003-c', '004-d'],
    fate,
    job: input.job,
    verdicts: input.verdicts,
    spends: input.spends,
    requireMounts: input.requireMounts,
  });
  let deaths = 0;
  let operator = createOperatorRound(world);
  for (let turn = 0; turn < turns && !isDone(world); turn += 1) {
    input.event?.(world, turn);
    world.sync();
    try {
      await operator();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      deaths += 1;
      operator = createOperatorRound(world);
    }
    kubelet.turn();
    world.now += 5000;
  }
  world.sync();
  const playTurns = async (more: number): Promise<void> => {
    for (let left = more; left > 0; left -= 1) {
      await operator();
      kubelet.turn();
      world.now += 5000;
    }
  };
  const outcomes = Object.fromEntries(
    world.stores.clawbenchruns.list().map((run) => [run.metadata.name, describeRun(run)]),
  );
  const phase = world.stores.clawbenchbatches.get('bench/nightly')?.status?.phase;
  return { outcomes, phase, writes: world.writes.length, deaths, kubelet, world, playTurns };
}

function begin({ lagging = false, kill, change }: Play): World {
  const world = new World();
  world.lagging = lagging;
  if (kill !== undefined) world.kill = kill;
  const judge = { modelsSecretRef: { name: 'm' }, model: 'j' };
  world.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'v1-lite' } });
  world.put('clawbenchbatches', aLiveBatch({ judge, parallelism: 2, ...change }));
  return world;
}

/** One round of a new operator: every batch, every run, the sweeper. */
export function createOperatorRound(world: World): () => Promise<void> {
  const deps = world.deps();
  const batch = createBatchReconciler(deps);
  const run = createRunDispatcher(deps);
  const sweep = createSweeper(deps);
  return async () => {
    for (const key of keysOf(world.caches.clawbenchbatches)) await batch(key);
    for (const key of keysOf(world.caches.clawbenchruns)) await run(key);
    await sweep();
    if (world.dead) throw new Killed();
  };
}

const describeRun = ({ status = {} }: Run): string =>
  `${status.phase ?? ''}/${status.outcome ?? ''}/${status.reason ?? ''}`;

function isDone(world: World): boolean {
  const status = world.stores.clawbenchbatches.get('bench/nightly')?.status;
  return (
    status?.completionTime !== undefined && world.stores.pods.list().every((pod) => pod.metadata.name.endsWith('-pod'))
  );
}

/** The one batch of a play. */
export const batchStatus = (world: World): ClawBenchBatchStatus =>
  world.stores.clawbenchbatches.get('bench/nightly')?.status ?? {};

/** `True Prepared: …`, or `absent`. */
export function conditionText(world: World, type: string): string {
  const found = batchStatus(world).conditions?.find((one) => one.type === type);
  return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
}

/** The garbage collector: deletes what belongs to an owner that is gone. */
export function collectGarbage(world: World): void {
  const { clawbenchbatches, clawbenchruns, pods, jobs } = world.stores;
  const all = { clawbenchbatches, clawbenchruns, pods, jobs };
  for (const plural of ['clawbenchruns', 'jobs', 'pods'] as const) {
    const alive = new Set(Object.values(all).flatMap((store) => store.list().map(({ metadata }) => metadata.uid)));
    for (const object of all[plural].list()) {
      const owner = controllerOf(object);
      if (owner !== undefined && !alive.has(owner.uid)) world.remove(plural, object.metadata.name);
    }
  }
}

/** A user changes its spec. */
export function editBatchSpec(world: World, spec: object): void {
  const batch = world.stores.clawbenchbatches.get('bench/nightly');
  if (batch === undefined) return;
  const metadata = { ...batch.metadata, generation: (batch.metadata.generation ?? 0) + 1 };
  world.put('clawbenchbatches', { ...batch, metadata, spec: { ...batch.spec, ...spec } } as KubeObject);
}
