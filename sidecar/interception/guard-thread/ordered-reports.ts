import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { Backpressure } from './backpressure.ts';
import type { SequencedReport, GuardReport } from './reports.ts';
import type { Frame, RingReader } from './ring.ts';

export interface OrderedReportsOptions {
  readonly port: MessagePort;
  readonly ring: RingReader;
  readonly backlog: Pick<Backpressure, 'settle'>;
  readonly frame: (frame: Frame) => void;
  readonly report: (report: GuardReport) => void;
}

/**
 * What the guard's thread tells in its two ways, as one sequence. Whoever is told of something may ask for more from
 * within (an event handler that fails ends the run, and the end takes over all that is left): each thing is off the
 * list before it is told, so that the inner call goes on where the outer one is.
 */
export interface OrderedReports {
  /** One message of the port. */
  readonly posted: (message: SequencedReport) => void;
  /** All so far. */
  readonly all: () => void;
}

export function createOrderedReports({ port, ring, backlog, frame, report }: OrderedReportsOptions): OrderedReports {
  const waiting: SequencedReport[] = [];
  const tellFrames = (end: number): void => {
    for (let next = ring.next(end); next !== null; next = ring.next(end)) frame(next);
  };
  const tell = (): void => {
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      tellFrames(first.after);
      // A call from within has told it already.
      if (waiting[0] !== first) continue;
      waiting.shift();
      backlog.settle(first.weight);
      report(first.report);
    }
  };
  return {
    posted: (message) => {
      waiting.push(message);
      tell();
    },
    all: () => {
      // What is behind this in the ring may come after reports that are still to be posted.
      const end = ring.position;
      for (;;) {
        const received = receiveMessageOnPort(port) as { readonly message: SequencedReport } | undefined;
        if (received === undefined) break;
        waiting.push(received.message);
      }
      tell();
      tellFrames(end);
    },
  };
}
