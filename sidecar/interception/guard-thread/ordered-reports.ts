import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { Backpressure } from './backpressure.ts';
import type { GuardReport, SequencedReport } from './reports.ts';
import type { Frame, RingReader } from './ring.ts';

export interface OrderedReportsOptions {
  readonly port: MessagePort;
  readonly ring: RingReader;
  readonly backpressure: Pick<Backpressure, 'release'>;
  readonly frame: (frame: Frame) => void;
  readonly report: (report: GuardReport) => void;
}

/**
 * Joins what the guard's thread posts and what it writes into the ring into one sequence. A callback may ask for more
 * from within (an event handler that fails ends the run, and the end drains all that is left): each entry is removed
 * from the list before it is reported, so that the inner call continues where the outer one is.
 */
export interface OrderedReports {
  /** Takes one message of the port. */
  readonly receive: (message: SequencedReport) => void;
  /** Reports everything sent so far. */
  readonly drain: () => void;
}

export function createOrderedReports(options: OrderedReportsOptions): OrderedReports {
  const { port, ring, backpressure, frame, report } = options;
  const waiting: SequencedReport[] = [];
  const deliverFrames = (end: number): void => {
    for (let next = ring.next(end); next !== null; next = ring.next(end)) frame(next);
  };
  const deliver = (): void => {
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      deliverFrames(first.after);
      // A call from within has delivered it already.
      if (waiting[0] !== first) continue;
      waiting.shift();
      backpressure.release(first.bytes);
      report(first.report);
    }
  };
  return {
    receive: (message) => {
      waiting.push(message);
      deliver();
    },
    drain: () => {
      // Frames behind this position may belong after reports that are not posted yet.
      const end = ring.position;
      for (;;) {
        const received = receiveMessageOnPort(port) as { readonly message: SequencedReport } | undefined;
        if (received === undefined) break;
        waiting.push(received.message);
      }
      deliver();
      deliverFrames(end);
    },
  };
}
