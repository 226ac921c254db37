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
  /** Must differ between two starts of one Pod too. Default: host name and a UUID. */
  readonly identity?: string;
  /** Others wait this long after the last renewal that they saw. Whole seconds. Default 15 s. */
  readonly leaseMs?: number;
  /** We give up after this long without a renewal; must be less than `leaseMs`. Default 10 s. */
  readonly renewMs?: number;
  /** Between two tries. Default 2 s. */
  readonly retryMs?: number;
  /** Called once, when the lease is ours. */
  readonly onLeading: () => void;
  /**
   * Called once, when we led and do no longer. It must end the process: work that is in flight cannot be called back,
   * and only a dead process surely writes nothing more. Default: log, exit with 1.
   */
  readonly onLost?: (reason: string) => void;
  readonly log: Logger;
  readonly metrics?: KubeMetrics;
  readonly clock?: Clock;
}

export interface Elector {
  readonly identity: string;
  /** Asks the clock, not a flag: a process that was frozen past its renewal knows it at once. */
  isLeader(): boolean;
  /** Ends without `onLost` and gives the lease back. Stop all work first. */
  stop(): Promise<void>;
}

/**
 * Joins the election. A renewal counts from the moment its request was sent, and every request is limited to
 * `leaseMs − renewMs`: a request that hangs can never leave us believing longer than others wait.
 * @throws Error when the times do not fit together.
 */
export function startElector(options: ElectorOptions): Elector {
  const { client, namespace, name, log } = options;
  const { leaseMs = 15_000, renewMs = 10_000, retryMs = 2_000 } = options;
  if (leaseMs <= renewMs || renewMs <= retryMs) throw new Error('needed: leaseMs > renewMs > retryMs');
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

  /** One look and, if the lease may be ours, one write. */
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
        // Somebody was faster, or no answer: look again. Whether we still lead is the deadline's business.
        const expected = isConflict(error) || isAlreadyExists(error) || stopping.signal.aborted;
        if (!expected) log.warn({ err: error, lease: name }, 'lease request failed');
      }
      await sleep(clock, retryMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  };
  const running = loop();

  const giveBack = async (): Promise<void> => {
    const timeoutMs = limit.timeoutMs;
    try {
      const lease = await leases.find(name, { timeoutMs });
      if (lease?.spec?.holderIdentity !== identity) return;
      await leases.replace(released(lease, clock.date()), { timeoutMs, retries: 0 });
    } catch (error) {
      log.warn({ err: error, lease: name }, 'the lease was not given back; others wait until it runs out');
    }
  };

  return {
    identity,
    isLeader: () => state === 'leader' && clock.now() - renewedAt < renewMs,
    stop: async () => {
      // A claim of a candidate may be on its way; after a loss the lease is left to run out, as others expect.
      const lost = state === 'over';
      over();
      await running;
      if (!lost) await giveBack();
    },
  };
}
