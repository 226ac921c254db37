import { PENDING_BYTES, STOP_REQUESTED } from './memory.ts';
import type { GuardReport } from './reports.ts';

/**
 * What the guard's thread has posted and the main thread has not taken over yet, in bytes. Above the limit the thread
 * reads no more: the browser then waits, as it would for any reader, and nothing of the request log is lost.
 */
export interface Backpressure {
  /** In the guard's thread. */
  owe(weight: number): void;
  /** In the guard's thread, between two reads: returns once there is room, or when the thread is to leave. */
  waitForRoom(): void;
  /** In the main thread. */
  settle(weight: number): void;
}

/** Sixty bodies as they are logged. */
const LIMIT_BYTES = 64 * 1024 * 1024;
/** A posted message with nothing in it. */
const EMPTY_BYTES = 1_000;
const WAITING_MS = 50;

export function createBackpressure(cells: Int32Array): Backpressure {
  return {
    owe: (weight) => void Atomics.add(cells, PENDING_BYTES, weight),
    waitForRoom: () => {
      for (;;) {
        const owed = Atomics.load(cells, PENDING_BYTES);
        if (owed <= LIMIT_BYTES || Atomics.load(cells, STOP_REQUESTED) !== 0) return;
        Atomics.wait(cells, PENDING_BYTES, owed, WAITING_MS);
      }
    },
    settle: (weight) => {
      Atomics.sub(cells, PENDING_BYTES, weight);
      Atomics.notify(cells, PENDING_BYTES);
    },
  };
}

/** What it holds in memory until it is taken over, about. */
export function estimatedBytes(report: GuardReport): number {
  if (report.kind === 'passed') return EMPTY_BYTES + report.message.length;
  if (report.kind === 'released') return EMPTY_BYTES + report.request.url.length;
  if (report.kind !== 'event') return EMPTY_BYTES;
  const { event } = report;
  if (!('request' in event)) return EMPTY_BYTES + ('url' in event ? event.url.length : 0);
  const { url, headers, body } = event.request;
  const fields = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return EMPTY_BYTES + url.length + fields + (body?.length ?? 0);
}
