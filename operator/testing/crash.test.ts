import { beforeEach, describe, expect, it } from 'vitest';
import { sumUsages, type Spending } from '../progress/usage-sum.ts';
import type { Fate } from './kubelet.fixture.ts';
import { INTERCEPTED, play, createOperatorRound, type PlayResult } from './play.fixture.ts';

/** Some runs fail twice before they succeed; deterministic, whatever the order. */
const flaky = (run: string, attempt: number): Fate => (run < 'nightly-8' && attempt < 3 ? 'OOMKilled' : INTERCEPTED);

const podsPerRun = (end: PlayResult): [string, number][] =>
  [...end.kubelet.seen].map(([run, pods]): [string, number] => [run, pods.size]).sort();

const judgeUsage = ({ world }: PlayResult): unknown =>
  world.stores.clawbenchbatches.get('bench/nightly')?.status?.usage?.judge;

describe('a batch from its creation to its end', () => {
  it('runs each task once, in the allowed number at a time, judges and cleans up', async () => {
    const end = await play({});
    expect(Object.values(end.outcomes)).toEqual(Array(4).fill('Complete/Passed/JudgedMatch'));
    expect(end.phase).toBe('Complete');
    expect(end.kubelet.mostAtOnce).toBe(2);
    expect([...end.kubelet.seen.values()].map((pods) => pods.size)).toEqual([1, 1, 1, 1]);
    const status = end.world.stores.clawbenchbatches.get('bench/nightly')?.status;
    expect(status?.rescoreSummary?.overall).toMatchObject({ nPlanned: 4, nTotal: 4, nIntercepted: 4, partial: false });
    expect(status?.columns).toMatchObject({ intercepted: '4/4 (100.0%)', pass: '4/4 (100.0%)' });
    expect(status?.usage?.judge).toEqual({ costUSD: 1, tokens: 40, apiCalls: 4 });
    expect(status?.artifacts?.summary).toBe('s3://traces/nightly/_batches/nightly/summary.json');
  });

  it('a complete batch is not written to any more', async () => {
    const { world } = await play({});
    const before = world.writes.length;
    world.now += 60_000;
    await createOperatorRound(world)();
    expect(world.writes.slice(before)).toEqual([]);
  });

  it('infrastructure failures are retried and do not affect the score', async () => {
    const end = await play({ fate: flaky });
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
    const attempts = [...end.kubelet.seen].map(([run, pods]) => [run < 'nightly-8', pods.size]);
    for (const [isFlaky, count] of attempts) expect(count).toBe(isFlaky === true ? 3 : 1);
  });

  it('what fails for good is closed by a promotion and counted', async () => {
    const end = await play({ fate: () => 'OOMKilled', change: { retry: { infrastructureLimit: 1 } } });
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Infrastructure/OutOfMemory']));
    expect(end.phase).toBe('Complete');
    expect(end.world.stores.clawbenchruns.list().every((run) => run.status?.closed !== undefined)).toBe(true);
    expect(end.world.stores.clawbenchbatches.get('bench/nightly')?.status?.rescoreSummary?.overall).toMatchObject({
      nTotal: 4,
      nEligible: 0,
    });
  });
});

describe('caches that lag behind', () => {
  it('never duplicate a run, never start more than allowed, and end the same', async () => {
    const end = await play({ lagging: true, fate: flaky, turns: 300 });
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
    expect(end.phase).toBe('Complete');
    expect(end.kubelet.mostAtOnce).toBe(2);
    for (const [run, pods] of end.kubelet.seen) expect(pods.size).toBe(run < 'nightly-8' ? 3 : 1);
  });
});

describe('an operator that is killed', () => {
  let reference: PlayResult;
  beforeEach(async () => {
    reference ??= await play({ fate: flaky });
  });

  it('after any single write (or before the next): no run duplicated, none lost, the same result', async () => {
    for (let victim = 0; victim < reference.writes; victim += 1) {
      const end = await play({ kill: (_write, index) => (index === victim ? 'after' : null), fate: flaky });
      const where = `write ${String(victim)}`;
      expect(end.deaths, where).toBe(1);
      expect(end.outcomes, where).toEqual(reference.outcomes);
      expect(end.phase, where).toBe('Complete');
      expect(judgeUsage(end), where).toEqual(judgeUsage(reference));
      expect(end.kubelet.mostAtOnce, where).toBeLessThanOrEqual(2);
      expect(podsPerRun(end), where).toEqual(podsPerRun(reference));
    }
  }, 60_000);

  it('again and again, at every ninth write', async () => {
    const kill = (_write: unknown, index: number): 'before' | 'after' | null => {
      if (index % 9 !== 8) return null;
      return index % 2 === 0 ? 'before' : 'after';
    };
    const end = await play({ kill, fate: flaky });
    expect(end.deaths).toBeGreaterThan(5);
    expect(end.outcomes).toEqual(reference.outcomes);
    expect(end.kubelet.mostAtOnce).toBeLessThanOrEqual(2);
  });
});

describe('the usage of a batch with a model', () => {
  const change = {
    harnesses: [{ name: 'own', image: 'own:1', usesModel: true }],
    models: { secretRef: { name: 'models' }, names: ['m1'] },
  };
  const finalUsage = { costUSD: 0.4, tokens: 40, apiCalls: 4 };
  const fate = (run: string, attempt: number): Fate =>
    run < 'nightly-8' && attempt < 3 ? 'OOMKilled' : { ...INTERCEPTED, usage: finalUsage };
  const spends = (_run: string, attempt: number): object => ({ costUSD: 0.1 * attempt, tokens: 10, apiCalls: attempt });
  const spent = ({ world }: PlayResult): { runs: Spending; batch: Spending | undefined; lost: number } => {
    const runs = world.stores.clawbenchruns.list();
    const { judge: _judge, ...batch } = world.stores.clawbenchbatches.get('bench/nightly')?.status?.usage ?? {};
    const lost = runs
      .flatMap(({ status }) => status?.attempts ?? [])
      .filter(({ outcome }) => outcome === 'Infrastructure');
    return { runs: sumUsages(runs.map(({ status }) => status?.usage ?? {})), batch, lost: lost.length };
  };

  it('is in the status of a run while it runs: live usage for those that died, final usage for the others', async () => {
    const live: unknown[] = [];
    const end = await play({
      change,
      fate,
      spends,
      event: (world) => {
        const running = world.stores.clawbenchruns.list().find(({ status }) => status?.phase === 'Running');
        if (running?.status?.attempt === 1) live.push(running.status.usage, running.status.columns?.cost);
      },
    });
    expect(live).toContainEqual({ costUSD: 0.1, tokens: 10, apiCalls: 1 });
    expect(live).toContain('$0.10');
    const { runs, batch, lost } = spent(end);
    expect(lost).toBeGreaterThan(1);
    const flaky = lost / 2;
    const cost = Number((flaky * 0.3 + 4 * finalUsage.costUSD).toFixed(6));
    const all = { costUSD: cost, tokens: lost * 10 + 160, apiCalls: flaky * 3 + 16, unreportedAttempts: lost };
    expect([runs, batch]).toEqual([all, all]);
  });

  it('is never counted twice and never lost, when the operator is killed after any single write', async () => {
    const reference = spent(await play({ change, fate, spends }));
    const { length: writes } = (await play({ change, fate, spends })).world.writes;
    let whole = 0;
    for (let victim = 0; victim < writes; victim += 1) {
      const end = spent(await play({ change, fate, spends, kill: (_, index) => (index === victim ? 'after' : null) }));
      const where = `write ${String(victim)}`;
      expect(end.runs.unreportedAttempts, where).toBe(reference.lost);
      expect(end.batch, where).toEqual(end.runs);
      // Usage that was not seen before the operator died is lost: the sum may be lower, never higher.
      expect(end.runs.tokens, where).toBeLessThanOrEqual(reference.runs.tokens ?? 0);
      expect(end.runs.tokens, where).toBeGreaterThanOrEqual(160 + (reference.lost - 2) * 10);
      if (end.runs.tokens === reference.runs.tokens) whole += 1;
    }
    expect(whole).toBeGreaterThan(writes / 2);
  }, 60_000);
});
