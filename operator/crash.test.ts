import { beforeEach, describe, expect, it } from 'vitest';
import type { Fate } from './kubelet.fixture.ts';
import { CAUGHT, play, start, type Ending } from './play.fixture.ts';

/** Some runs fail twice before they work; deterministic, whatever the order. */
const flaky = (run: string, attempt: number): Fate => (run < 'nightly-8' && attempt < 3 ? 'OOMKilled' : CAUGHT);

const podsPerRun = (end: Ending): [string, number][] =>
  [...end.kubelet.seen].map(([run, pods]): [string, number] => [run, pods.size]).sort();

const judgeUsage = ({ world }: Ending): unknown =>
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

  it('a batch that is over is not written to any more', async () => {
    const { world } = await play({});
    const before = world.writes.length;
    world.now += 60_000;
    await start(world)();
    expect(world.writes.slice(before)).toEqual([]);
  });

  it('infrastructure failures are tried again and stay out of the score', async () => {
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
  it('never double a run, never start more than allowed, and end the same', async () => {
    const end = await play({ lagging: true, fate: flaky, turns: 300 });
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
    expect(end.phase).toBe('Complete');
    expect(end.kubelet.mostAtOnce).toBe(2);
    for (const [run, pods] of end.kubelet.seen) expect(pods.size).toBe(run < 'nightly-8' ? 3 : 1);
  });
});

describe('an operator that is killed', () => {
  let reference: Ending;
  beforeEach(async () => {
    reference ??= await play({ fate: flaky });
  });

  it('after any one write (which is before the next): no run doubled, none lost, the same result', async () => {
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
