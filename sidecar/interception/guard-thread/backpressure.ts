import { PENDING_BYTES, STOP_REQUESTED } from './memory.ts';
import type { GuardReport } from './reports.ts';

/**
 * Counts the bytes that the guard's thread has posted and the main thread has not read yet. Above the limit the thread
 * stops reading the browser's pipe: the browser then waits, as it would for any reader, and no row of the request log is
 * lost.
 */
export interface Backpressure {
  /** Called by the guard's thread for each report. */
  add(bytes: number): void;
  /** Called by the guard's thread between two reads. Returns once there is room, or when the thread is asked to stop. */
  waitForRoom(): void;
  /** Called by the main thread for each report that it has read. */
  release(bytes: number): void;
}

/** About sixty logged bodies. */
const LIMIT_BYTES = 64 * 1024 * 1024;
/** A posted message without content. */
const EMPTY_BYTES = 1_000;
const WAIT_MS = 50;

export function createBackpressure(cells: Int32Array): Backpressure {
  return {
    add: (bytes) => void Atomics.add(cells, PENDING_BYTES, bytes),
    waitForRoom: () => {
      for (;;) {
        const pending = Atomics.load(cells, PENDING_BYTES);
        if (pending <= LIMIT_BYTES || Atomics.load(cells, STOP_REQUESTED) !== 0) return;
        Atomics.wait(cells, PENDING_BYTES, pending, WAIT_MS);
      }
    },
    release: (bytes) => {
      Atomics.sub(cells, PENDING_BYTES, bytes);
      Atomics.notify(cells, PENDING_BYTES);
    },
  };
}

/** About how much memory a report holds until the main thread has read it. */
export function estimatedBytes(report: GuardReport): number {
  if (report.kind === 'continued') return EMPTY_BYTES + report.message.length;
  if (report.kind === 'body-cleared') return EMPTY_BYTES + report.request.url.length;
  if (report.kind !== 'event') return EMPTY_BYTES;
  const { event } = report;
  if (!('request' in event)) return EMPTY_BYTES + ('url' in event ? event.url.length : 0);
  const { url, headers, body } = event.request;
  const fields = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return EMPTY_BYTES + url.length + fields + (body?.length ?? 0);
}
