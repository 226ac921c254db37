import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startElector, type Elector, type ElectorOptions } from './elector.ts';
import { LEASES, type Lease } from './kinds.ts';
import { mayTake, observeLease } from './lease.ts';
import { createKubeMetrics } from './metrics.ts';
import type { Live } from './object.ts';
import { resource } from './resource.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

let server: FaultServer;
let electors: Elector[];
let told: string[];
beforeEach(async () => {
  server = await startFaultServer();
  electors = [];
  told = [];
});
afterEach(async () => {
  await Promise.all(electors.map((elector) => elector.stop()));
  await server.close();
});

/** Whole seconds are the Lease's resolution. Deadlines are long enough for a busy machine that stalls for a second. */
function join(identity: string, options: Partial<ElectorOptions> = {}): Elector {
  const elector = startElector({
    client: server.client(),
    namespace: 'ns',
    name: 'lock',
    identity,
    leaseMs: 2_000,
    renewMs: 1_500,
    retryMs: 50,
    onLeading: () => told.push(`${identity} leads`),
    onLost: (reason) => told.push(`${identity} lost: ${reason}`),
    log: pino({ level: 'silent' }),
    ...options,
  });
  electors.push(elector);
  return elector;
}
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 });
const stored = (): Promise<Live<Lease>> => resource(server.client(), LEASES, 'ns').get('lock');
const hang = (...verbs: ('get' | 'replace')[]): void => {
  for (const verb of verbs) server.fail(verb, ...Array.from({ length: 50 }, () => ({ kind: 'silence' }) as const));
};

describe('an election', () => {
  it('elects one of two candidates, who renews the lease', async () => {
    const [a, b] = [join('a'), join('b')];
    await eventually(() => expect(told).toHaveLength(1));
    const first = await stored();
    const later = await vi.waitFor(
      async () => {
        const lease = await stored();
        expect(lease.spec?.renewTime).not.toBe(first.spec?.renewTime);
        return lease;
      },
      { timeout: 5_000, interval: 100 },
    );
    expect([a.isLeader(), b.isLeader()].filter(Boolean)).toHaveLength(1);
    expect(told).toHaveLength(1);
    expect(later.spec?.renewTime).toMatch(/^\d{4}-.*\.\d{6}Z$/);
    expect(later.spec).toMatchObject({ leaseTransitions: 0, acquireTime: first.spec?.acquireTime });
  });

  it('elects the next leader immediately when the leader stops gracefully', async () => {
    const a = join('a');
    await eventually(() => expect(a.isLeader()).toBe(true));
    const b = join('b');
    await a.stop();
    const started = performance.now();
    await eventually(() => expect(b.isLeader()).toBe(true));
    // Well before the lease of two seconds would have run out.
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(told).toEqual(['a leads', 'b leads']);
    expect((await stored()).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('elects the next leader after the lease has expired when the leader is dead', async () => {
    server.api.put('leases', {
      metadata: { name: 'lock', namespace: 'ns' },
      spec: { holderIdentity: 'dead', leaseDurationSeconds: 1, renewTime: '2000-01-01T00:00:00.000000Z' },
    });
    const started = performance.now();
    const b = join('b');
    await eventually(() => expect(b.isLeader()).toBe(true));
    // An old renewTime proves nothing (clocks differ): b must have watched it stand still for the whole second.
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it.each([['get'], ['replace']] as const)('reports the loss in time when every %s hangs', async (verb) => {
    const a = join('a');
    await eventually(() => expect(a.isLeader()).toBe(true));
    hang(verb);
    const started = performance.now();
    await eventually(() => expect(told).toContain('a lost: the lease could not be renewed for 1500 ms'));
    // Nobody else takes a lease earlier than two seconds after the last renewal.
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(a.isLeader()).toBe(false);
  });

  it('never has two leaders when the old one is cut off', async () => {
    const a = join('a');
    await eventually(() => expect(a.isLeader()).toBe(true));
    const b = join('b', { client: server.client() });
    let both = 0;
    const watcher = setInterval(() => (both += a.isLeader() && b.isLeader() ? 1 : 0), 2);
    // Cut a off only: its client is closed, b's goes on.
    hang('replace');
    await eventually(() => expect(told.some((line) => line.startsWith('a lost'))).toBe(true));
    clearInterval(watcher);
    expect(both).toBe(0);
  });

  it('survives errors that are shorter than the deadline', async () => {
    const a = join('a');
    await eventually(() => expect(a.isLeader()).toBe(true));
    server.fail(
      'replace',
      { kind: 'status', code: 500 },
      { kind: 'reset' },
      { kind: 'status', code: 409, reason: 'Conflict' },
    );
    server.fail('get', { kind: 'status', code: 429, retryAfter: '1' }, { kind: 'reset' });
    await eventually(() => expect(server.pending('replace') + server.pending('get')).toBe(0));
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    expect([a.isLeader(), told]).toEqual([true, ['a leads']]);
  });

  it('is lost immediately when another candidate holds the lease', async () => {
    const a = join('a');
    await eventually(() => expect(a.isLeader()).toBe(true));
    const lease = await stored();
    server.api.put('leases', { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } });
    await eventually(() => expect(told).toContain('a lost: the lease is held by thief'));
  });

  it('is not assumed by a process that slept beyond its deadline', async () => {
    let jump = 0;
    const clock = {
      now: () => performance.now() + jump,
      date: () => new Date(),
      setTimeout: (callback: () => void, ms: number) => setTimeout(callback, ms),
      clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
    };
    const a = join('a', { clock });
    await eventually(() => expect(a.isLeader()).toBe(true));
    jump = 1_500;
    expect(a.isLeader()).toBe(false);
  });

  it('does not release a lease that it does not hold', async () => {
    const a = join('a');
    await eventually(() => expect(a.isLeader()).toBe(true));
    await join('b').stop();
    expect((await stored()).spec?.holderIdentity).toBe('a');
  });

  it('exports its state as a metric', async () => {
    const registry = new Registry();
    const a = join('a', { metrics: createKubeMetrics(registry) });
    await eventually(() => expect(a.isLeader()).toBe(true));
    expect(await registry.metrics()).toContain('leader_election_master_status{name="lock"} 1');
    await a.stop();
    expect(await registry.metrics()).toContain('leader_election_master_status{name="lock"} 0');
  });

  it('refuses inconsistent times', () => {
    expect(() => join('a', { leaseMs: 10, renewMs: 10 })).toThrow('leaseMs must be greater than renewMs');
  });
});

describe('mayTake', () => {
  const lease = (holderIdentity: string | undefined, resourceVersion = '1'): Live<Lease> => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l', uid: 'u', resourceVersion, creationTimestamp: '' },
    spec: { leaseDurationSeconds: 15, ...(holderIdentity === undefined ? {} : { holderIdentity }) },
  });
  it.each([
    ['free', lease(''), 0, true],
    ['never held', lease(undefined), 0, true],
    ['ours', lease('me'), 0, true],
    ['another’s, fresh', lease('other'), 14_999, false],
    ['another’s, run out', lease('other'), 15_000, true],
  ])('%s', (_name, held, now, expected) => {
    expect(mayTake(observeLease(undefined, held, 0), 'me', now)).toBe(expected);
  });
  it('counts from the last change', () => {
    const first = observeLease(undefined, lease('other', '1'), 0);
    const same = observeLease(first, lease('other', '1'), 10_000);
    const renewed = observeLease(same, lease('other', '2'), 14_000);
    expect([mayTake(same, 'me', 15_000), mayTake(renewed, 'me', 15_000)]).toEqual([true, false]);
  });
});
