import { execFile } from 'node:child_process';
import { closeSync, constants, rmSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import type { ObservedRequest } from '../../contracts.ts';
import { readFastPathRequest } from '../guard/fast-path-request.ts';
import { createBackpressure } from './backpressure.ts';
import { COMMANDS_FD, EXITED, READ_COUNT, STOP_REQUESTED } from './memory.ts';
import { createOrderedReports } from './ordered-reports.ts';
import type { GuardReport, GuardThreadData, ThreadExit } from './reports.ts';
import { ringReader } from './ring.ts';
import { EXIT_TIMEOUT_MS, ignoringBusyPipe, openPipe, openThreadsPipe, unblockThread } from './unblock-thread.ts';
import type { StartGuardWorker } from './worker.ts';

export type ForwardedReport = Exclude<GuardReport, { kind: 'continued' | 'drain' | 'exited' }>;

/** The two named pipes are created by `startGuardThread`. */
export interface GuardThreadOptions extends Omit<GuardThreadData, 'port'> {
  readonly startWorker: StartGuardWorker;
  /** Called in order, on the main thread. */
  readonly report: (report: ForwardedReport) => void;
  /** Called for each request that continued, in order with the reports. */
  readonly continued: (request: ObservedRequest) => void;
  /** Called once, after all other reports. */
  readonly exited: (exit: ThreadExit) => void;
}

/** The guard's thread, as the main thread sees it. */
export interface GuardThread {
  /** Sends a command to the browser; without its NUL. @throws when it is longer than one atomic write to a pipe. */
  write(text: string): void;
  /** Reports everything that the guard has sent so far. */
  drain(): void;
  /** A number that changes whenever the browser has written something. */
  readCount(): number;
  /**
   * The browser's pipe is closed on return and everything is reported, unless the thread takes more than two seconds.
   * May be called again.
   */
  stop(): void;
  close(): Promise<void>;
}

/** How long rows of the request log may stay in shared memory. */
const DRAIN_MS = 250;
/** The longest write to a pipe that is not mixed with the thread's own writes (POSIX `PIPE_BUF`, Linux). */
const ATOMIC_WRITE_BYTES = 4_096;

/** @returns once the browser may connect. @throws when the pipes cannot be created. */
export async function startGuardThread(options: GuardThreadOptions): Promise<GuardThread> {
  const { memory, events, commands, evalSchema, selfTest } = options;
  const { cells } = memory;
  await Promise.all([events, commands].map((path) => rm(path, { force: true })));
  await promisify(execFile)('mkfifo', ['-m', '600', events, commands]);
  const { port1: port, port2 } = new MessageChannel();
  const worker = options.startWorker({ memory, port: port2, events, commands, evalSchema, selfTest });
  const workerExited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let output: number | null = null;
  let over = false;

  const connected = (): void => {
    // Null when the browser has exited already, which the thread reports next.
    output = openThreadsPipe(cells, COMMANDS_FD, constants.O_WRONLY | constants.O_NONBLOCK);
  };
  /** Nothing that the thread reports after this is forwarded. */
  const exited = (exit: ThreadExit): void => {
    if (over) return;
    over = true;
    if (output !== null) closeSync(output);
    output = null;
    removeNames([events, commands]);
    options.exited(exit);
  };
  const continued = (at: number, message: Buffer): void => {
    if (over) return;
    const request = readFastPathRequest(at, message);
    // It continued by its first fields; no Chromium that we know writes messages that end otherwise.
    if (request === null) exited({ kind: 'unreadable-pipe', message: 'the message of a request cannot be read' });
    else options.continued(request);
  };
  const forward = (report: GuardReport): void => {
    if (over) return;
    switch (report.kind) {
      case 'drain':
        return;
      case 'continued':
        return continued(report.at, Buffer.from(report.message));
      case 'exited':
        return exited(report.exit);
      case 'connected':
        connected();
        return options.report(report);
      default:
        return options.report(report);
    }
  };
  const reports = createOrderedReports({
    port,
    ring: ringReader(memory.ring),
    backpressure: createBackpressure(cells),
    frame: ({ at, bytes }) => continued(at, bytes),
    report: forward,
  });
  /** Also when the process exits: Node waits for its threads, and this one waits for the browser. */
  const requestStop = (): void => {
    Atomics.store(cells, STOP_REQUESTED, 1);
    unblockThread(options, cells);
  };
  const stop = (): void => {
    requestStop();
    reports.drain();
  };

  port.on('message', reports.receive);
  port.unref();
  worker.unref();
  worker.once('error', (error: unknown) => {
    Atomics.store(cells, EXITED, 1);
    reports.drain();
    exited({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  });
  process.once('exit', requestStop);
  const timer = setInterval(reports.drain, DRAIN_MS).unref();
  return {
    write: (text) => {
      const bytes = Buffer.from(`${text}\0`);
      if (bytes.length > ATOMIC_WRITE_BYTES) throw new Error(`a command of ${bytes.length} bytes is too long`);
      const to = output;
      // Full: the browser has stopped reading, and the command times out like all others. Closed: the exit is reported soon.
      if (to !== null) ignoringBusyPipe(() => writeSync(to, bytes));
    },
    drain: reports.drain,
    readCount: () => Atomics.load(cells, READ_COUNT),
    stop,
    close: async () => {
      stop();
      clearInterval(timer);
      worker.ref();
      const late = new Promise<void>((resolve) => setTimeout(resolve, EXIT_TIMEOUT_MS).unref());
      await Promise.race([workerExited, late]);
      worker.unref();
      port.close();
      process.removeListener('exit', requestStop);
      removeNames([events, commands]);
    },
  };
}

/** A browser that comes too late finds no pipe. One that is opening a name at this moment gets through, and reads an end of file. */
function removeNames(paths: readonly string[]): void {
  const ends = paths.map((path) => openPipe(path, constants.O_RDWR | constants.O_NONBLOCK));
  for (const path of paths) rmSync(path, { force: true });
  for (const end of ends) if (end !== null) closeSync(end);
}
