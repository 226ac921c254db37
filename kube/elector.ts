import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { KubeClient } from './client.ts';
import { sleep, systemClock, type Clock, type TimerHandle } from './clock.ts';
import { isAlreadyExists, isConflict } from './errors.ts';
import { LEASES, type Lease } from './kinds.ts';
import { claimed, mayTake, newLease, observeLease, released, type ObservedLease } from './lease.ts';
import type { KubeMetrics } from './metrics.ts';
import type { Live } from './object.ts';
import { resource } from './resource.ts';

export interface ElectorOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Name of the Lease, and of the metric's label. */
  readonly name: string;
  /** Must also differ between two starts of the same Pod. Default: host name and a UUID. */
  readonly identity?: string;
  /** Time that other candidates wait after the last renewal that they observed. Whole seconds. Default 15 s. */
  readonly leaseMs?: number;
  /** Time without a renewal after which the leader gives up; must be less than `leaseMs`. Default 10 s. */
  readonly renewMs?: number;
  /** Time between two attempts. Default 2 s. */
  readonly retryMs?: number;
  /** Called once, when this process becomes the leader. */
  readonly onLeading: () => void;
  /**
   * Called once, when this process loses the leadership. It must end the process: requests in progress cannot be
   * cancelled, and only a process that has ended is certain to write nothing more. Default: log, and exit with 1.
   */
  readonly onLost?: (reason: string) => void;
  readonly log: Logger;
  readonly metrics?: KubeMetrics;
  readonly clock?: Clock;
}

export interface Elector {
  readonly identity: string;
  /** Uses the clock instead of a flag, so that a process that was frozen beyond its renewal time returns false. */
  isLeader(): boolean;
  /** Ends without `onLost` and releases the lease. Stop all work first. */
  stop(): Promise<void>;
}

/**
 * Joins the election. A renewal counts from when its request was sent, and every request is limited to
 * `leaseMs − renewMs`, so that no request that hangs makes this process believe in its lease longer than others wait.
 * @throws Error when the times are inconsistent
 */
export function startElector(options: ElectorOptions): Elector {
  const { client, namespace, name, log } = options;
  const { leaseMs = 15_000, renewMs = 10_000, retryMs = 2_000 } = options;
  if (leaseMs <= renewMs || renewMs <= retryMs)
    throw new Error('leaseMs must be greater than renewMs, and renewMs greater than retryMs');
  const clock = options.clock ?? systemClock;
  const identity = options.identity ?? `${hostname()}_${randomUUID()}`;
  const leases = resource(client, LEASES, namespace);
  const stopping = new AbortController();
  const limit = { timeoutMs: leaseMs - renewMs, signal: stopping.signal, retries: 0 };
  let state: 'candidate' | 'leader' | 'over' = 'candidate';
  let seen: ObservedLease | undefined;
  let renewedAt = -Infinity;
  let deadline: TimerHandle;
  options.metrics?.leader.set({ name }, 0);

  const over = (): void => {
    state = 'over';
    clock.clearTimeout(deadline);
    stopping.abort(new Error('election over'));
    options.metrics?.leader.set({ name }, 0);
  };

  const lose = (reason: string): void => {
    if (state !== 'leader') return;
    over();
    log.fatal({ lease: name, identity, reason }, 'leadership lost');
    if (options.onLost !== undefined) return options.onLost(reason);
    process.exit(1);
  };

  const hold = (lease: Live<Lease>, sentAt: number): void => {
    if (state === 'over') return;
    seen = observeLease(seen, lease, clock.now());
    renewedAt = sentAt;
    clock.clearTimeout(deadline);
    const left = Math.max(0, renewedAt + renewMs - clock.now());
    deadline = clock.setTimeout(() => lose(`the lease could not be renewed for ${renewMs} ms`), left);
    if (state === 'leader') return;
    state = 'leader';
    options.metrics?.leader.set({ name }, 1);
    log.info({ lease: name, identity }, 'leading');
    options.onLeading();
  };

  /** Reads the lease and, if it may be acquired or renewed, writes it. */
  const attempt = async (): Promise<void> => {
    const lease = await leases.find(name, limit);
    const sentAt = clock.now();
    const claim = { identity, leaseMs, date: clock.date() };
    if (lease === null) return hold(await leases.create(newLease(name, claim), limit), sentAt);
    seen = observeLease(seen, lease, sentAt);
    if (mayTake(seen, identity, sentAt)) {
      if (state === 'leader' && lease.spec?.holderIdentity !== identity) return lose('the lease was released or taken');
      return hold(await leases.replace(claimed(lease, claim), limit), sentAt);
    }
    lose(`the lease is held by ${lease.spec?.holderIdentity}`);
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await attempt();
      } catch (error) {
        // Another candidate was faster, or there was no response: retry. The deadline decides about the leadership.
        const expected = isConflict(error) || isAlreadyExists(error) || stopping.signal.aborted;
        if (!expected) log.warn({ err: error, lease: name }, 'lease request failed');
      }
      await sleep(clock, retryMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  };
  const running = loop();

  const release = async (): Promise<void> => {
    const timeoutMs = limit.timeoutMs;
    try {
      const lease = await leases.find(name, { timeoutMs });
      if (lease?.spec?.holderIdentity !== identity) return;
      await leases.replace(released(lease, clock.date()), { timeoutMs, retries: 0 });
    } catch (error) {
      log.warn({ err: error, lease: name }, 'the lease was not released; other candidates wait until it expires');
    }
  };

  return {
    identity,
    isLeader: () => state === 'leader' && clock.now() - renewedAt < renewMs,
    stop: async () => {
      // A write of a candidate may be in progress. After a loss, the lease is left to expire, as others expect.
      const lost = state === 'over';
      over();
      await running;
      if (!lost) await release();
    },
  };
}
