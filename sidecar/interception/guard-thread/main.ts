import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { createGuard, type Guard } from '../guard/guard.ts';
import { createPauses } from '../guard/pauses.ts';
import { createFastPath, type FastPath } from '../guard/fast-path.ts';
import { createTargetUrls } from '../guard/target-urls.ts';
import { createPhase, withoutMatch } from '../phase.ts';
import { createMessageReader, UnreadablePipe } from '../pipe/message-reader.ts';
import { createFireAndForgetCommands, FIRST_FIRE_AND_FORGET_ID } from '../pipe/fire-and-forget-commands.ts';
import { memoizeTarget } from '../memoized-target.ts';
import { createBackpressure, estimatedBytes } from './backpressure.ts';
import { createTwoSpeedReader } from './two-speed-reader.ts';
import { READ_COUNT, INBOX, EVENTS_FD, EXITED, COMMANDS_FD, PIPE_BYTES, STOP_REQUESTED } from './memory.ts';
import { readChunk } from './read-chunk.ts';
import type { ThreadExit, NewTask, SequencedReport, GuardReport, GuardThreadData } from './reports.ts';
import { ringWriter } from './ring.ts';

/**
 * The guard's own thread. It does one thing at a time and nothing else: read what the browser says, decide, answer. It
 * waits inside the read itself, so a pause costs no turn of an event loop, and nothing that the recorder does meanwhile
 * (evidence, uploads, a garbage collection) can make a request wait. It has no timers: it is awake when the browser
 * speaks, which the main thread makes sure of once the run is armed (`liveness.ts`).
 */

const { memory, port, events, commands, evalSchema, selfTest, keepOpen } = workerData as GuardThreadData;
const { cells } = memory;
const ring = ringWriter(memory.ring);
const backlog = createBackpressure(cells);
const ownPhase = createPhase(memory.phase);
const phase = keepOpen ? withoutMatch(ownPhase) : ownPhase;

function tell(report: GuardReport): void {
  const weight = estimatedBytes(report);
  backlog.owe(weight);
  port.postMessage({ report, after: ring.position, weight } satisfies SequencedReport);
}

function guardBrowser(input: number, output: number): ThreadExit {
  const orders = createFireAndForgetCommands((text) => void writeSync(output, `${text}\0`));
  const pauses = createPauses(orders, (facts, text) => tell({ kind: 'warning', facts, text }));
  const targets = createTargetUrls();
  let target = memoizeTarget(compileTarget(evalSchema));
  const guardOf = (): Guard =>
    createGuard({
      target,
      phase,
      selfTest,
      pauses,
      released: ({ url, method }) => tell({ kind: 'released', request: { url, method } }),
      cut: () => tell({ kind: 'cut' }),
      frameUrl: (frameId) => targets.urlOf(frameId),
      emit: (event) => tell({ kind: 'event', event }),
      selfTestBlocked: () => tell({ kind: 'selfTestBlocked' }),
      now: Date.now,
    });
  const quickPassOf = (): FastPath =>
    createFastPath({
      target,
      phase,
      selfTest,
      pauses,
      passed: (at, message, urgent) => {
        // A copy: posting a piece of a buffer copies the whole of it.
        if (!ring.put(at, message)) tell({ kind: 'passed', at, message: new Uint8Array(message) });
        else if (urgent) tell({ kind: 'drain' });
      },
      now: Date.now,
    });
  let guard = guardOf();
  let quickPass = quickPassOf();

  const takeNewTask = (): void => {
    Atomics.store(cells, INBOX, 0);
    for (;;) {
      const received = receiveMessageOnPort(port) as { readonly message: NewTask } | undefined;
      if (received === undefined) break;
      target = memoizeTarget(compileTarget(received.message.evalSchema));
    }
    guard = guardOf();
    quickPass = quickPassOf();
  };
  const acknowledged = (id: number): void => {
    if (id >= FIRST_FIRE_AND_FORGET_ID) orders.acknowledged(id);
    else tell({ kind: 'reply', reply: { id, result: {} } });
  };
  const take = createTwoSpeedReader({
    read: createMessageReader({
      message: (message) => {
        if (message['id'] === undefined) targets.event(message);
        else if ((message['id'] as number) >= FIRST_FIRE_AND_FORGET_ID) orders.settle(message);
        else tell({ kind: 'reply', reply: message });
      },
      acknowledged,
      pausedHead: (head) => guard.head(head),
      pausedRest: (head, rest) => guard.rest(head, rest),
    }),
    acknowledged,
    pass: (message) => quickPass(message),
  });

  const bytes = Buffer.allocUnsafeSlow(PIPE_BYTES);
  const read = (into: Buffer, offset: number): number => readSync(input, into, offset, into.length - offset, null);
  try {
    for (;;) {
      backlog.waitForRoom();
      const count = readChunk(bytes, read);
      if (Atomics.load(cells, STOP_REQUESTED) !== 0) return { kind: 'stopped' };
      if (count === 0) return { kind: 'ended' };
      Atomics.add(cells, READ_COUNT, 1);
      if (Atomics.load(cells, INBOX) !== 0) takeNewTask();
      take(bytes.subarray(0, count));
      pauses.watch();
    }
  } finally {
    guard.lost();
    orders.close('the browser is gone');
  }
}

/** Waits for the browser: a named pipe opens when both its ends do. */
function run(): ThreadExit {
  const open: number[] = [];
  const stopped = (): boolean => Atomics.load(cells, STOP_REQUESTED) !== 0;
  try {
    if (stopped()) return { kind: 'stopped' };
    // In the order of the browser's start script.
    const input = openSync(events, 'r');
    open.push(input);
    if (stopped()) return { kind: 'stopped' };
    const output = openSync(commands, 'w');
    open.push(output);
    Atomics.store(cells, EVENTS_FD, input);
    Atomics.store(cells, COMMANDS_FD, output);
    // One browser for the life of a run: with the names gone no second one can join.
    for (const path of [events, commands]) rmSync(path, { force: true });
    if (stopped()) return { kind: 'stopped' };
    tell({ kind: 'connected' });
    return guardBrowser(input, output);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return { kind: 'ended' };
    if (error instanceof UnreadablePipe) return { kind: 'broken', message: error.message };
    return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  } finally {
    Atomics.store(cells, EVENTS_FD, 0);
    Atomics.store(cells, COMMANDS_FD, 0);
    for (const file of open) closeSync(file);
  }
}

const why = run();
tell({ kind: 'left', why });
Atomics.store(cells, EXITED, 1);
Atomics.notify(cells, EXITED);
port.close();
