import { OWED, STOP } from './memory.ts';
import type { Report } from './reports.ts';

/**
 * What the guard's thread has posted and the main thread has not taken over yet, in bytes. Above the limit the thread
 * reads no more: the browser then waits, as it would for any reader, and nothing of the request log is lost.
 */
export interface Backlog {
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

export function createBacklog(cells: Int32Array): Backlog {
  return {
    owe: (weight) => void Atomics.add(cells, OWED, weight),
    waitForRoom: () => {
      for (;;) {
        const owed = Atomics.load(cells, OWED);
        if (owed <= LIMIT_BYTES || Atomics.load(cells, STOP) !== 0) return;
        Atomics.wait(cells, OWED, owed, WAITING_MS);
      }
    },
    settle: (weight) => {
      Atomics.sub(cells, OWED, weight);
      Atomics.notify(cells, OWED);
    },
  };
}

/** What it holds in memory until it is taken over, about. */
export function weightOf(report: Report): number {
  if (report.kind === 'passed') return EMPTY_BYTES + report.message.length;
  if (report.kind === 'released') return EMPTY_BYTES + report.request.url.length;
  if (report.kind !== 'event') return EMPTY_BYTES;
  const { event } = report;
  if (!('request' in event)) return EMPTY_BYTES + ('url' in event ? event.url.length : 0);
  const { url, headers, body } = event.request;
  const fields = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return EMPTY_BYTES + url.length + fields + (body?.length ?? 0);
}
