import fc from 'fast-check';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createKubeMetrics } from './metrics.ts';
import { createQueue, type QueueOptions, type WorkQueue } from './queue.ts';
import { fakeClock, settle, type FakeClock } from './testing/fake-clock.ts';

/** A queue whose work ends only when the test says so. */
function controlled(options: Partial<QueueOptions> = {}): {
  queue: WorkQueue;
  clock: FakeClock;
  started: string[];
  finish: (key: string, error?: Error) => Promise<void>;
} {
  const clock = fakeClock();
  const started: string[] = [];
  const running = new Map<string, (error?: Error) => void>();
  const queue = createQueue({
    name: 'test',
    clock,
    random: () => 1,
    backoff: { baseMs: 100, capMs: 1_000 },
    process: (key) => {
      started.push(key);
      if (running.has(key)) throw new Error(`${key} worked on twice at once`);
      return new Promise((resolve, reject) => {
        running.set(key, (error) => {
          running.delete(key);
          if (error === undefined) resolve();
          else reject(error);
        });
      });
    },
    ...options,
  });
  const finish = async (key: string, error?: Error): Promise<void> => {
    running.get(key)?.(error);
    await settle();
  };
  return { queue, clock, started, finish };
}

describe('a work queue', () => {
  it('does nothing before it is started', () => {
    const { queue, started } = controlled();
    queue.add('a');
    expect([started, queue.length]).toEqual([[], 1]);
    queue.start();
    expect([started, queue.active]).toEqual([['a'], 1]);
  });

  it('has a waiting key once, in the order of the first add', async () => {
    const { queue, started, finish } = controlled();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    queue.start();
    for (const key of ['a', 'b', 'c']) await finish(key);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('processes a key again that was added while in progress, after the others', async () => {
    const { queue, started, finish } = controlled();
    queue.start();
    queue.add('a');
    queue.add('b');
    queue.add('a');
    queue.add('a');
    await finish('a');
    expect(started).toEqual(['a', 'b']);
    await finish('b');
    await finish('a');
    expect(started).toEqual(['a', 'b', 'a']);
    expect([queue.length, queue.active]).toEqual([0, 0]);
  });

  it('processes as many keys at the same time as allowed', async () => {
    const { queue, started, finish } = controlled({ concurrency: 2 });
    queue.start();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(started).toEqual(['a', 'b']);
    await finish('b');
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('backs off exponentially per key up to the cap, and forgets failures on success', async () => {
    const waits: number[] = [];
    const { queue, clock, finish } = controlled({ onError: (_key, _error, ms) => waits.push(ms) });
    queue.start();
    queue.add('a');
    for (let failure = 0; failure < 6; failure += 1) {
      await finish('a', new Error('no'));
      await clock.advance(1_000);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    await finish('a');
    queue.add('a');
    await finish('a', new Error('no'));
    expect(waits.at(-1)).toBe(100);
  });

  it('survives a synchronous error and an error in onError', async () => {
    let calls = 0;
    const { queue, clock } = controlled({
      process: () => {
        calls += 1;
        throw new Error('at once');
      },
      onError: () => {
        throw new Error('the reporter too');
      },
    });
    queue.start();
    queue.add('a');
    await clock.advance(100);
    expect(calls).toBe(2);
  });

  it('uses the earliest of several delays, and the requeue that processing requests', async () => {
    const clock = fakeClock();
    const times: number[] = [];
    const queue = createQueue({
      name: 'test',
      clock,
      process: () => Promise.resolve(times.push(clock.now()) === 1 ? { requeueAfterMs: 70 } : undefined),
    });
    queue.start();
    queue.addAfter('a', 500);
    queue.addAfter('a', 30);
    queue.addAfter('a', 900);
    await clock.advance(2_000);
    expect(times).toEqual([30, 100]);
    expect(clock.pending).toBe(0);
  });

  it('drains: processes keys that are ready or were added again, and accepts no new ones', async () => {
    const { queue, clock, started, finish } = controlled();
    queue.start();
    queue.add('a');
    queue.add('b');
    queue.add('a');
    queue.addAfter('late', 10);
    let drained = false;
    const done = queue.drain().then(() => (drained = true));
    queue.add('new');
    await clock.advance(50);
    await finish('a');
    await finish('b');
    expect(drained).toBe(false);
    await finish('a');
    await done;
    expect(started).toEqual(['a', 'b', 'a']);
  });

  it('stops: aborts the signal, and waits only for keys in progress', async () => {
    let aborted = false;
    const { queue, started } = controlled({
      process: (key, signal) => {
        started.push(key);
        return new Promise((resolve) => signal.addEventListener('abort', () => ((aborted = true), resolve())));
      },
    });
    queue.start();
    queue.add('a');
    queue.add('b');
    await queue.stop();
    expect([aborted, started]).toEqual([true, ['a']]);
  });

  it('can be drained although it was never started', async () => {
    const { queue, started } = controlled();
    queue.add('a');
    await queue.drain();
    expect(started).toEqual([]);
  });

  it('provides the metrics of existing dashboards', async () => {
    const registry = new Registry();
    const { queue, clock, finish } = controlled({ metrics: createKubeMetrics(registry) });
    queue.add('a');
    queue.add('b');
    queue.start();
    await clock.advance(2_000);
    const text = await registry.metrics();
    expect(text).toContain('workqueue_adds_total{name="test"} 2');
    expect(text).toContain('workqueue_depth{name="test"} 1');
    expect(text).toContain('workqueue_longest_running_processor_seconds{name="test"} 2');
    await finish('a', new Error('no'));
    expect(await registry.metrics()).toContain('workqueue_retries_total{name="test"} 1');
  });
});

type Step = { readonly do: 'add' | 'addAfter' | 'finish' | 'fail' | 'wait'; readonly key: string; readonly ms: number };

const steps = (...kinds: Step['do'][]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({ do: fc.constantFrom(...kinds), key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), ms: fc.nat(300) }),
    { maxLength: 40 },
  );
const workers = fc.integer({ min: 1, max: 3 });

/** A queue in a world whose keys change; it knows when each key was last looked at, successfully. */
function changingWorld(
  concurrency: number,
  onStart: (key: string) => void,
): {
  apply: (step: Step) => Promise<void>;
  finishAll: () => Promise<void>;
  running: ReadonlyMap<string, unknown>;
  lost: () => string[];
} {
  const clock = fakeClock();
  const changed = new Map<string, number>();
  const lookedAt = new Map<string, number>();
  const running = new Map<string, (error?: Error) => void>();
  let version = 0;
  const queue = createQueue({
    name: 'property',
    clock,
    concurrency,
    backoff: { baseMs: 20, capMs: 200 },
    process: (key) => {
      // An expectation that throws in here would only look like failing work: collect instead.
      onStart(key);
      const seen = version;
      return new Promise<void>((resolve, reject) => {
        running.set(key, (error) => {
          running.delete(key);
          if (error !== undefined) return reject(error);
          lookedAt.set(key, seen);
          resolve();
        });
      });
    },
  });
  queue.start();
  const change = (key: string): void => void changed.set(key, (version += 1));
  const actions: Record<Step['do'], (step: Step) => unknown> = {
    add: ({ key }) => (change(key), queue.add(key)),
    addAfter: ({ key, ms }) => (change(key), queue.addAfter(key, ms)),
    finish: ({ key }) => running.get(key)?.(),
    fail: ({ key }) => running.get(key)?.(new Error('no')),
    wait: ({ ms }) => clock.advance(ms),
  };
  return {
    running,
    apply: async (step) => {
      await actions[step.do](step);
      await settle();
    },
    finishAll: async () => {
      for (let round = 0; round < 100 && queue.length + queue.active + clock.pending > 0; round += 1) {
        for (const end of [...running.values()]) end();
        await clock.advance(300);
      }
    },
    lost: () => [...changed].filter(([key, at]) => (lookedAt.get(key) ?? -1) < at).map(([key]) => key),
  };
}

describe('for any order of adds, delays, ends and failures', () => {
  it('no key is lost, none is processed twice at the same time, and the limit holds', async () => {
    await fc.assert(
      fc.asyncProperty(steps('add', 'add', 'addAfter', 'finish', 'fail', 'wait'), workers, async (all, concurrency) => {
        const wrong: string[] = [];
        const world = changingWorld(concurrency, (key) => {
          if (world.running.has(key)) wrong.push(`${key} twice at once`);
          if (world.running.size >= concurrency) wrong.push(`more than ${concurrency} at once`);
        });
        for (const one of all) await world.apply(one);
        await world.finishAll();
        expect(wrong).toEqual([]);
        expect(world.lost()).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('keys are processed in the order in which they became ready', async () => {
    await fc.assert(
      fc.asyncProperty(steps('add', 'add', 'finish'), workers, async (all, concurrency) => {
        const order: string[] = [];
        const waiting: string[] = [];
        const again = new Set<string>();
        const started: string[] = [];
        const world = changingWorld(concurrency, (key) => {
          started.push(key);
          order.push(waiting.shift() ?? 'nobody');
        });
        for (const one of all) {
          const works = world.running.has(one.key);
          if (one.do === 'add' && works) again.add(one.key);
          const joins = one.do === 'add' ? !works && !waiting.includes(one.key) : works && again.delete(one.key);
          if (joins) waiting.push(one.key);
          await world.apply(one);
        }
        expect(started).toEqual(order);
      }),
      { numRuns: 150 },
    );
  });
});
