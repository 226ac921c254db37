import { execFile } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { LOGGED_BODY_BYTES } from '../guard/guard.ts';
import { observe } from '../guard/observe.ts';
import type { ObservedRequest } from '../../contracts.ts';
import { restOfWhole, type WholePause } from '../pipe/paused-body.ts';
import { HEARD, INBOX, INPUT, LEFT, OUTPUT, STOP, type SharedMemory } from './memory.ts';
import type { Leaving, Posted, Report, ThreadData } from './reports.ts';
import { ringReader } from './ring.ts';

export type ThreadReport = Exclude<Report, { kind: 'passed' | 'look' | 'left' }>;

export interface ThreadOptions {
  /** Where the browser finds the two named pipes; they are made here. */
  readonly events: string;
  readonly commands: string;
  readonly memory: SharedMemory;
  readonly evalSchema: unknown;
  readonly selfTest: ThreadData['selfTest'];
  readonly keepOpen: boolean;
  /** In order, each on the main thread. */
  readonly report: (report: ThreadReport) => void;
  /** A request that went on. In order with the reports. */
  readonly passed: (request: ObservedRequest) => void;
  /** Told once, last. */
  readonly left: (why: Leaving) => void;
}

/** The guard's thread (`main.ts`), as the main thread sees it. */
export interface GuardThread {
  /** A command for the browser, without its NUL. */
  write(text: string): void;
  /** Takes over all that the guard has told so far. */
  look(): void;
  /** Another number whenever the browser has said something. */
  heard(): number;
  /** The browser's pipe is closed on return, and everything is told. May be called again. */
  stop(): void;
  /** From the next request on the guard knows this task only (tests). */
  useTask(evalSchema: unknown): void;
  close(): Promise<void>;
}

/** How long rows of the request log may lie in shared memory. */
const LOOK_MS = 250;
/** The thread answers within a millisecond, unless the machine has no time for it. */
const LEAVING_MS = 2_000;
const WAKING_MS = 50;
/** What a pipe holds. */
const PIPE_BYTES = 64 * 1024;
/** What one write puts into a pipe in one piece, between the thread's own (POSIX `PIPE_BUF`, Linux). */
const ONE_PIECE_BYTES = 4_096;

const ownFile = import.meta.filename;
/** From source beside this file; a bundle lies beside the recorder's. */
const PROGRAM = ownFile.endsWith('.ts') ? join(import.meta.dirname, 'main.ts') : join(import.meta.dirname, 'guard.js');

/** @returns once the browser may come. @throws when the pipes cannot be made. */
export async function startGuardThread(options: ThreadOptions): Promise<GuardThread> {
  const { events, commands, memory } = options;
  const { cells } = memory;
  await Promise.all([events, commands].map((path) => rm(path, { force: true })));
  await promisify(execFile)('mkfifo', ['-m', '600', events, commands]);
  const { port1: port, port2 } = new MessageChannel();
  const data: ThreadData = {
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
  const ring = ringReader(memory.ring);
  let output: number | null = null;
  let gone = false;

  const connected = (): void => {
    output = openSync(commands, constants.O_WRONLY | constants.O_NONBLOCK);
    // One browser for the life of a run: with the names gone no second one can join.
    for (const path of [events, commands]) rmSync(path, { force: true });
  };
  const left = (why: Leaving): void => {
    if (gone) return;
    gone = true;
    if (output !== null) closeSync(output);
    output = null;
    options.left(why);
  };
  const take = (report: Report): void => {
    switch (report.kind) {
      case 'look':
        return;
      case 'passed':
        return options.passed(read(report.at, Buffer.from(report.message)));
      case 'left':
        return left(report.why);
      case 'connected':
        connected();
        return options.report(report);
      default:
        return options.report(report);
    }
  };
  const takeFrames = (end: number): void => {
    for (let frame = ring.next(end); frame !== null; frame = ring.next(end))
      options.passed(read(frame.at, frame.bytes));
  };
  const takePosted = ({ report, after }: Posted): void => {
    takeFrames(after);
    take(report);
  };
  const look = (): void => {
    // What is behind this in the ring may come after reports that are still to be posted.
    const { end } = ring;
    for (;;) {
      const received = receiveMessageOnPort(port) as { readonly message: Posted } | undefined;
      if (received === undefined) break;
      takePosted(received.message);
    }
    takeFrames(end);
  };
  const stop = (): void => {
    Atomics.store(cells, STOP, 1);
    if (!gone) wake(options, cells);
    look();
  };
  const exiting = (): void => {
    if (gone) return;
    Atomics.store(cells, STOP, 1);
    // Node waits for its threads, and this one waits for the browser.
    wake(options, cells);
  };

  port.on('message', takePosted);
  port.unref();
  worker.unref();
  worker.once('error', (error: unknown) => {
    Atomics.store(cells, LEFT, 1);
    left({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
  });
  process.once('exit', exiting);
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    write: (text) => {
      const bytes = Buffer.from(`${text}\0`);
      if (bytes.length > ONE_PIECE_BYTES) throw new Error(`a command of ${bytes.length} bytes is too long`);
      try {
        if (output !== null) writeSync(output, bytes);
      } catch {
        // Full: the browser reads no more, and the command is late like all others. Closed: its end is on its way here.
      }
    },
    look,
    heard: () => Atomics.load(cells, HEARD),
    stop,
    useTask: (evalSchema) => {
      port.postMessage({ evalSchema });
      Atomics.store(cells, INBOX, 1);
    },
    close: async () => {
      stop();
      clearInterval(timer);
      worker.ref();
      const late = new Promise<void>((resolve) => setTimeout(resolve, LEAVING_MS).unref());
      await Promise.race([exited, late]);
      port.close();
      process.removeListener('exit', exiting);
      await Promise.all([events, commands].map((path) => rm(path, { force: true })));
    },
  };
}

/** The message of a request that went on, as the guard would have observed it. */
function read(at: number, message: Buffer): ObservedRequest {
  const { params } = JSON.parse(message.toString('utf8')) as { readonly params: WholePause };
  const { url, method, headers } = params.request;
  return observe(at, { requestId: params.requestId, url, method, headers }, restOfWhole(params, LOGGED_BODY_BYTES));
}

/**
 * Ends what the thread waits for, until it has left: a browser that opens its ends, one that speaks, or one that reads.
 * Each of the two pipes gets its other end for a moment, whoever else holds one. Blocks, for two seconds at most.
 */
function wake({ events, commands }: Pick<ThreadOptions, 'events' | 'commands'>, cells: Int32Array): void {
  const place = (path: string, file: number): string => (file === 0 ? path : `/proc/self/fd/${String(file)}`);
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  for (let waited = 0; Atomics.load(cells, LEFT) === 0 && waited < LEAVING_MS; waited += WAKING_MS) {
    const ends = [
      openPipe(place(events, Atomics.load(cells, INPUT)), O_WRONLY | O_NONBLOCK),
      openPipe(place(commands, Atomics.load(cells, OUTPUT)), O_RDONLY | O_NONBLOCK),
    ] as const;
    const [speaking, reading] = ends;
    if (speaking !== null) asFarAsItGoes(() => writeSync(speaking, '\0'));
    // Its last answer may have found no room.
    if (reading !== null) asFarAsItGoes(() => readSync(reading, Buffer.alloc(PIPE_BYTES)));
    // Held meanwhile: to an opening that waits they are the other end.
    Atomics.wait(cells, LEFT, 0, WAKING_MS);
    for (const end of ends) if (end !== null) closeSync(end);
  }
}

/** A full or an empty pipe is not what it waits for. */
function asFarAsItGoes(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!['EAGAIN', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** @returns null where there is none (any more): the thread may just be leaving, and its number another file's. */
function openPipe(path: string, flags: number): number | null {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    return null;
  }
  if (fstatSync(file).isFIFO()) return file;
  closeSync(file);
  return null;
}
