import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { KubeClient } from './client.ts';
import { systemClock, type Clock } from './clock.ts';
import { isNotFound } from './errors.ts';
import { EVENTS, type Event } from './kinds.ts';
import type { KubeObject, Live, New } from './object.ts';
import { resource } from './resource.ts';

export interface EventRecorderOptions {
  readonly client: KubeClient;
  /** Reporting component: `clawbench-operator`. */
  readonly component: string;
  /** Default: host name. */
  readonly instance?: string;
  readonly log: Logger;
  /** Maximum number of events of one object in a burst; after that, one per `refillMs`. Repeats count, too. Default 25. */
  readonly burst?: number;
  /** Default 60 s. */
  readonly refillMs?: number;
  readonly clock?: Clock;
}

export interface EventRecorder {
  /**
   * Records an event about an object. Never throws and never waits. Call it after the status write, since an event about a
   * state that was not written would be wrong.
   * @param reason one CamelCase word
   * @param message one sentence; truncated to 1,000 characters
   */
  event(object: Live<KubeObject>, type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** Waits until all events recorded so far have been sent or dropped. */
  flush(): Promise<void>;
}

/** Maximum number of events waiting to be sent. Further ones are dropped, so that an outage does not fill the memory. */
const LONGEST_BACKLOG = 500;
/** Maximum number of sent events that are remembered to count repeats. */
const MAX_REMEMBERED = 2_000;
/** The API's limit is 1,024 bytes. */
const LONGEST_MESSAGE = 1_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}
interface SentEvent {
  readonly name: string;
  readonly namespace: string;
  count: number;
}

/** Repeats of the same object, type, reason and message become one Event with a count. Each object has a rate limit. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, log, burst = 25, refillMs = 60_000 } = options;
  const clock = options.clock ?? systemClock;
  const sent = new Map<string, SentEvent>();
  const buckets = new Map<string, Bucket>();
  let backlog = 0;
  let last: Promise<void> = Promise.resolve();

  const allowed = (uid: string): boolean => {
    const now = clock.now();
    const bucket = buckets.get(uid) ?? { tokens: burst, filledAt: now };
    const refilled = Math.floor((now - bucket.filledAt) / refillMs);
    bucket.tokens = Math.min(burst, bucket.tokens + refilled);
    bucket.filledAt += refilled * refillMs;
    remember(buckets, uid, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };

  const send = async (key: string, event: New<Event>): Promise<void> => {
    const events = resource(client, EVENTS, event.metadata.namespace);
    const before = sent.get(key);
    if (before !== undefined) {
      try {
        const repeat = { count: before.count + 1, lastTimestamp: event.lastTimestamp };
        await events.mergePatch(before.name, repeat);
        before.count += 1;
        return;
      } catch (error) {
        // The event has expired, which happens after an hour or two; create a new one.
        if (!isNotFound(error)) throw error;
      }
    }
    const { name, namespace = 'default' } = (await events.create(event)).metadata;
    remember(sent, key, { name, namespace, count: 1 });
  };

  const enqueue = (key: string, event: New<Event>): void => {
    backlog += 1;
    last = last
      .then(() => send(key, event))
      .catch((error: unknown) => log.warn({ err: error, reason: event.reason }, 'event not recorded'))
      .finally(() => (backlog -= 1));
  };

  return {
    event: (object, type, reason, message) => {
      try {
        const { uid } = object.metadata;
        if (backlog >= LONGEST_BACKLOG || !allowed(uid)) return log.debug({ reason }, 'event dropped');
        const text = message.slice(0, LONGEST_MESSAGE);
        const source = { component: options.component, instance: options.instance ?? hostname() };
        enqueue(
          [uid, type, reason, text].join('\n'),
          build(object, { type, reason, text, source, date: clock.date() }),
        );
      } catch (error) {
        log.warn({ err: error, reason }, 'event not recorded');
      }
    },
    flush: () => last,
  };
}

interface EventContent {
  readonly type: string;
  readonly reason: string;
  readonly text: string;
  readonly source: { readonly component: string; readonly instance: string };
  readonly date: Date;
}

function build(object: Live<KubeObject>, { type, reason, text, source, date }: EventContent): New<Event> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const time = date.toISOString().replace(/\.\d{3}Z$/, 'Z');
  const suffix = `${date.getTime().toString(16)}${Math.floor(Math.random() * 0xffff).toString(16)}`;
  const { apiVersion, kind } = object;
  return {
    // Events of cluster-scoped objects are in `default`, where kubectl looks for them.
    metadata: { name: `${name.slice(0, 230)}.${suffix}`, namespace: namespace ?? 'default' },
    involvedObject: { apiVersion, kind, name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
    type,
    reason,
    message: text,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: source.component },
    reportingComponent: source.component,
    reportingInstance: source.instance,
  };
}

/** Uses the insertion order of the map as an LRU cache. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value ?? key);
}
