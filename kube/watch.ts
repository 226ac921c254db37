import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import { ApiError, type ApiStatus } from './errors.ts';
import type { KubeObject, Live } from './object.ts';
import type { Resource, WatchOptions } from './resource.ts';

export interface WatchEvent<T extends KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  /** A bookmark carries only `metadata.resourceVersion`. */
  readonly object: Live<T>;
}

/** The watch is open, but sends no events and no bookmarks. */
export class WatchStale extends Error {
  constructor(ms: number) {
    super(`the watch sent no event and no bookmark for ${ms} ms`);
    this.name = 'WatchStale';
  }
}

/** The stream contains something other than a watch event. */
export class WatchBroken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WatchBroken';
  }
}

export interface WatchLimits {
  readonly signal: AbortSignal;
  /** Longest time without a complete event, in milliseconds. Single bytes do not count. */
  readonly staleAfterMs: number;
  /** Longest wait for the response head, in milliseconds. */
  readonly connectMs: number;
  readonly clock: Clock;
}

/** etcd objects have at most 1.5 MiB, and their JSON with managed fields a few times that. */
const LONGEST_LINE = 32 * 1024 * 1024;

/**
 * The events of a watch until the server ends it.
 * @throws ApiError (410: list again), ApiUnreachable, WatchStale, WatchBroken, or the error of the socket
 */
export async function* watchEvents<T extends KubeObject>(
  source: Resource<T>,
  options: WatchOptions,
  limits: WatchLimits,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const call = source.watchCall(options);
  const body = await source.client.stream({ ...call, timeoutMs: limits.connectMs, signal: limits.signal, retries: 0 });
  const silence = startSilenceTimer(body, limits);
  try {
    for await (const line of lines(body)) {
      silence.restart();
      yield parseEvent<T>(line, call.path);
    }
  } finally {
    silence.stop();
    body.destroy();
  }
}

function startSilenceTimer(body: Readable, limits: WatchLimits): { restart(): void; stop(): void } {
  const { clock, staleAfterMs } = limits;
  const start = (): unknown => clock.setTimeout(() => body.destroy(new WatchStale(staleAfterMs)), staleAfterMs);
  let timer = start();
  const stop = (): void => clock.clearTimeout(timer);
  return {
    stop,
    restart: () => {
      stop();
      timer = start();
    },
  };
}

async function* lines(body: Readable): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    // Only the new bytes are searched, since a large object arrives in many chunks.
    const [first = '', ...others] = decoder.decode(chunk as Uint8Array, { stream: true }).split('\n');
    const pieces = [rest + first, ...others];
    rest = pieces.pop() ?? '';
    for (const piece of pieces) if (piece.trim() !== '') yield piece;
    if (rest.length > LONGEST_LINE)
      throw new WatchBroken(`the watch sent a line of more than ${LONGEST_LINE} characters`);
  }
  if (rest.trim() !== '') throw new WatchBroken('the watch ended in the middle of an event');
}

function parseEvent<T extends KubeObject>(line: string, path: string): WatchEvent<T> {
  const { type, object } = parseLine(line);
  if (type === 'ERROR') {
    const { code = 500, reason = '', message = '' } = object as ApiStatus;
    throw new ApiError({ method: 'WATCH', path, status: code, reason, message });
  }
  const version = (object as Partial<Live<T>> | undefined)?.metadata?.resourceVersion;
  if (!EVENT_TYPES.has(type) || typeof version !== 'string') {
    throw new WatchBroken(`the watch sent an invalid event: ${line.slice(0, 200)}`);
  }
  return { type: type as WatchEvent<T>['type'], object: object as Live<T> };
}

const EVENT_TYPES = new Set<unknown>(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function parseLine(line: string): { type?: unknown; object?: unknown } {
  try {
    return (JSON.parse(line) ?? {}) as { type?: unknown; object?: unknown };
  } catch {
    throw new WatchBroken(`the watch sent invalid JSON: ${line.slice(0, 200)}`);
  }
}
