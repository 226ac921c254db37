import { execFile } from 'node:child_process';
import { closeSync, constants, rmSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MessageChannel, Worker } from 'node:worker_threads';
import { readFastPathRequest } from '../guard/fast-path-request.ts';
import type { ObservedRequest } from '../../contracts.ts';
import { createBackpressure } from './backpressure.ts';
import { READ_COUNT, INBOX, EXITED, COMMANDS_FD, STOP_REQUESTED } from './memory.ts';
import type { ThreadExit, GuardReport, GuardThreadData } from './reports.ts';
import { ringReader } from './ring.ts';
import { createOrderedReports } from './ordered-reports.ts';
import { ignoringBusyPipe, EXIT_TIMEOUT_MS, openPipe, openThreadsPipe, unblockThread } from './unblock-thread.ts';

export type ForwardedReport = Exclude<GuardReport, { kind: 'passed' | 'drain' | 'left' }>;

/** The two named pipes are made here. */
export interface GuardThreadOptions extends Omit<GuardThreadData, 'port'> {
  /** In order, each on the main thread. */
  readonly report: (report: ForwardedReport) => void;
  /** A request that went on. In order with the reports. */
  readonly passed: (request: ObservedRequest) => void;
  /** Told once, last. */
  readonly left: (why: ThreadExit) => void;
}

/** The guard's thread (`main.ts`), as the main thread sees it. */
export interface GuardThread {
  /** A command for the browser, without its NUL. @throws when it is longer than one write can carry in one piece. */
  write(text: string): void;
  /** Takes over all that the guard has told so far. */
  drain(): void;
  /** Another number whenever the browser has said something. */
  heard(): number;
  /**
   * The browser's pipe is closed on return and everything is told, unless the thread does not come to it within two
   * seconds. May be called again.
   */
  stop(): void;
  /** From the next request on the guard knows this task only (tests). */
  useTask(evalSchema: unknown): void;
  close(): Promise<void>;
}

/** How long rows of the request log may lie in shared memory. */
const DRAIN_MS = 250;
/** What one write puts into a pipe in one piece, between the thread's own (POSIX `PIPE_BUF`, Linux). */
const ONE_PIECE_BYTES = 4_096;

const ownFile = import.meta.filename;
/** From source beside this file; a bundle lies beside the recorder's. */
const PROGRAM = ownFile.endsWith('.ts') ? join(import.meta.dirname, 'main.ts') : join(import.meta.dirname, 'guard.js');

/** @returns once the browser may come. @throws when the pipes cannot be made. */
export async function startGuardThread(options: GuardThreadOptions): Promise<GuardThread> {
  const { events, commands, memory } = options;
  const { cells } = memory;
  await Promise.all([events, commands].map((path) => rm(path, { force: true })));
  await promisify(execFile)('mkfifo', ['-m', '600', events, commands]);
  const { port1: port, port2 } = new MessageChannel();
  const data: GuardThreadData = {
    memory,
    port: port2,
    events,
    commands,
    evalSchema: options.evalSchema,
    selfTest: options.selfTest,
    keepOpen: options.keepOpen,
  };
  const worker = new Worker(PROGRAM, { workerData: data, transferList: [port2], name: 'guard', execArgv: [], env: {} });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let output: number | null = null;
  let over = false;

  const connected = (): void => {
    // None when the browser is gone already, which the thread is about to tell.
    output = openThreadsPipe(cells, COMMANDS_FD, constants.O_WRONLY | constants.O_NONBLOCK);
  };
  /** Of what the thread still says there is nobody who asks. */
  const left = (why: ThreadExit): void => {
    if (over) return;
    over = true;
    if (output !== null) closeSync(output);
    output = null;
    removeNames([events, commands]);
    options.left(why);
  };
  const passed = (at: number, message: Buffer): void => {
    if (over) return;
    const request = readFastPathRequest(at, message);
    // It was let go by its first fields; a browser whose messages do not end like that is none that we know.
    if (request === null) left({ kind: 'broken', message: 'the message of a request cannot be read' });
    else options.passed(request);
  };
  const take = (report: GuardReport): void => {
    if (over) return;
    switch (report.kind) {
      case 'drain':
        return;
      case 'passed':
        return passed(report.at, Buffer.from(report.message));
      case 'left':
        return left(report.why);
      case 'connected':
        connected();
        return options.report(report);
      default:
        return options.report(report);
    }
  };
  const sequence = createOrderedReports({
    port,
    ring: ringReader(memory.ring),
    backlog: createBackpressure(cells),
    frame: ({ at, bytes }) => passed(at, bytes),
    report: take,
  });
  /** Also at the process' end: Node waits for its threads, and this one waits for the browser. */
  const end = (): void => {
    Atomics.store(cells, STOP_REQUESTED, 1);
    unblockThread(options, cells);
  };
  const stop = (): void => {
    end();
    sequence.all();
  };

  port.on('message', sequence.posted);
  port.unref();
  worker.unref();
  worker.once('error', (error: unknown) => {
    Atomics.store(cells, EXITED, 1);
    sequence.all();
    left({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  });
  process.once('exit', end);
  const timer = setInterval(sequence.all, DRAIN_MS).unref();
  return {
    write: (text) => {
      const bytes = Buffer.from(`${text}\0`);
      if (bytes.length > ONE_PIECE_BYTES) throw new Error(`a command of ${bytes.length} bytes is too long`);
      const to = output;
      // Full: the browser reads no more, and the command is late like all others. Closed: its end is on its way here.
      if (to !== null) ignoringBusyPipe(() => writeSync(to, bytes));
    },
    drain: sequence.all,
    heard: () => Atomics.load(cells, READ_COUNT),
    stop,
    useTask: (evalSchema) => {
      port.postMessage({ evalSchema });
      Atomics.store(cells, INBOX, 1);
    },
    close: async () => {
      stop();
      clearInterval(timer);
      worker.ref();
      const late = new Promise<void>((resolve) => setTimeout(resolve, EXIT_TIMEOUT_MS).unref());
      await Promise.race([exited, late]);
      worker.unref();
      port.close();
      process.removeListener('exit', end);
      removeNames([events, commands]);
    },
  };
}

/** A browser that comes too late finds nothing; one that is just opening a name is let in, and finds nobody. */
function removeNames(paths: readonly string[]): void {
  const ends = paths.map((path) => openPipe(path, constants.O_RDWR | constants.O_NONBLOCK));
  for (const path of paths) rmSync(path, { force: true });
  for (const end of ends) if (end !== null) closeSync(end);
}
