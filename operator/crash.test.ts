import { beforeEach, describe, expect, it } from 'vitest';
import type { ClawBenchBatchSpecInput } from '../crds/batch.ts';
import { createBatchReconciler } from './batch/reconcile.ts';
import { aBatch } from './batch/batch.fixture.ts';
import { Kubelet, type Fate } from './kubelet.fixture.ts';
import type { Run } from './kinds.ts';
import { createRunReconciler } from './run/reconcile.ts';
import { keysOf, Killed, World } from './world.fixture.ts';

const CAUGHT = {
  outcome: 'JudgePending',
  reason: 'Intercepted',
  intercepted: true,
  stopReason: 'eval_matched',
} as const;

interface Ending {
  readonly outcomes: Record<string, string>;
  readonly phase: string | undefined;
  readonly writes: number;
  readonly deaths: number;
  readonly kubelet: Kubelet;
  readonly world: World;
}

/** Runs a batch of four to its end, with a new operator after each death. */
async function play(
  kill: World['kill'],
  fate: (run: string, attempt: number) => Fate,
  change: Partial<ClawBenchBatchSpecInput> = {},
): Promise<Ending> {
  const world = new World();
  world.kill = kill;
  world.put(
    'clawbenchbatches',
    aBatch({ judge: { modelsSecretRef: { name: 'm' }, model: 'j' }, parallelism: 2, ...change }),
  );
  const kubelet = new Kubelet(world, { tasks: ['001-a', '002-b', '003-c', '004-d'], fate });
  let deaths = 0;
  let operator = start(world);
  for (let turn = 0; turn < 120 && !isDone(world); turn += 1) {
    try {
      await operator();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      deaths += 1;
      operator = start(world);
    }
    kubelet.turn();
    world.now += 5000;
  }
  const runs = world.stores.clawbenchruns.list();
  const outcomes = Object.fromEntries(runs.map((run) => [run.metadata.name, describeRun(run)]));
  const phase = world.stores.clawbenchbatches.get('bench/nightly')?.status?.phase;
  return { outcomes, phase, writes: world.writes.length, deaths, kubelet, world };
}

function start(world: World): () => Promise<void> {
  const cluster = world.cluster();
  const batch = createBatchReconciler(cluster);
  const run = createRunReconciler(cluster);
  return async () => {
    for (const key of keysOf(world.stores.clawbenchbatches)) await batch(key);
    for (const key of keysOf(world.stores.clawbenchruns)) await run(key);
  };
}

const describeRun = ({ status = {} }: Run): string =>
  `${status.phase ?? ''}/${status.outcome ?? ''}/${status.reason ?? ''}`;
const isDone = (world: World): boolean => {
  const status = world.stores.clawbenchbatches.get('bench/nightly')?.status;
  return (
    status?.completionTime !== undefined && world.stores.pods.list().every((pod) => pod.metadata.name.endsWith('-pod'))
  );
};
const good = (): Fate => CAUGHT;
/** The second run made fails twice before it works; a deterministic one, whatever the order. */
const flaky = (run: string, attempt: number): Fate => (run < 'nightly-8' && attempt < 3 ? 'OOMKilled' : CAUGHT);

describe('a batch from its creation to its end', () => {
  it('runs each task once, in the allowed number at a time, judges and cleans up', async () => {
    const end = await play(() => null, good);
    expect(Object.values(end.outcomes)).toEqual(Array(4).fill('Complete/Passed/JudgedMatch'));
    expect(end.phase).toBe('Complete');
    expect(end.kubelet.mostAtOnce).toBe(2);
    expect([...end.kubelet.seen.values()].map((pods) => pods.size)).toEqual([1, 1, 1, 1]);
    const status = end.world.stores.clawbenchbatches.get('bench/nightly')?.status;
    expect(status?.rescoreSummary?.overall).toMatchObject({ nPlanned: 4, nTotal: 4, nIntercepted: 4, partial: false });
    expect(status?.columns).toMatchObject({ intercepted: '4/4 (100.0%)', pass: '4/4 (100.0%)' });
    expect(status?.artifacts?.summary).toBe('s3://traces/nightly/_batches/nightly/summary.json');
  });

  it('a batch that is over is not written to any more', async () => {
    const { world } = await play(() => null, good);
    const before = world.writes.length;
    world.now += 60_000;
    await start(world)();
    expect(world.writes.slice(before)).toEqual([]);
  });

  it('infrastructure failures are tried again and stay out of the score', async () => {
    const end = await play(() => null, flaky);
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
    const attempts = [...end.kubelet.seen].map(([run, pods]) => [run < 'nightly-8', pods.size]);
    for (const [isFlaky, count] of attempts) expect(count).toBe(isFlaky === true ? 3 : 1);
  });

  it('what fails for good is closed by a promotion and counted', async () => {
    const end = await play(
      () => null,
      () => 'OOMKilled',
      { retry: { infrastructureLimit: 1 } },
    );
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Infrastructure/OutOfMemory']));
    expect(end.phase).toBe('Complete');
    expect(end.world.stores.clawbenchruns.list().every((run) => run.status?.closed !== undefined)).toBe(true);
    expect(end.world.stores.clawbenchbatches.get('bench/nightly')?.status?.rescoreSummary?.overall).toMatchObject({
      nTotal: 4,
      nEligible: 0,
    });
  });
});

describe('an operator that is killed', () => {
  let reference: Ending;
  beforeEach(async () => {
    reference ??= await play(() => null, flaky);
  });

  for (const when of ['before', 'after'] as const) {
    it(`at any one write, just ${when} it: no run doubled, none lost, the same result`, async () => {
      for (let victim = 0; victim < reference.writes; victim += 1) {
        const end = await play((_write, index) => (index === victim ? when : null), flaky);
        const where = `write ${String(victim)}`;
        expect(end.deaths, where).toBe(1);
        expect(end.outcomes, where).toEqual(reference.outcomes);
        expect(end.phase, where).toBe('Complete');
        expect(end.kubelet.mostAtOnce, where).toBeLessThanOrEqual(2);
        expect([...end.kubelet.seen].map(([run, pods]) => [run, pods.size]).sort(), where).toEqual(
          [...reference.kubelet.seen].map(([run, pods]) => [run, pods.size]).sort(),
        );
      }
    }, 60_000);
  }

  it('again and again, at every ninth write', async () => {
    const kill = (_write: unknown, index: number): 'before' | 'after' | null => {
      if (index % 9 !== 8) return null;
      return index % 2 === 0 ? 'before' : 'after';
    };
    const end = await play(kill, flaky);
    expect(end.deaths).toBeGreaterThan(5);
    expect(end.outcomes).toEqual(reference.outcomes);
    expect(end.kubelet.mostAtOnce).toBeLessThanOrEqual(2);
  });
});
