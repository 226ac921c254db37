import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { UnreadablePipe } from '../pipe/message-reader.ts';
import { createBackpressure, estimatedBytes } from './backpressure.ts';
import { createBrowserGuard, type GuardRules } from './guard-browser.ts';
import { COMMANDS_FD, EVENTS_FD, EXITED, PIPE_BYTES, READ_COUNT, STOP_REQUESTED } from './memory.ts';
import { readChunk } from './read-chunk.ts';
import type { GuardReport, GuardThreadData, SequencedReport, ThreadExit } from './reports.ts';
import { ringWriter } from './ring.ts';

/**
 * The guard's own thread. It does one thing at a time and nothing else: read what the browser writes, decide, answer. It
 * waits inside the read itself, so a pause costs no turn of an event loop, and nothing that the recorder does meanwhile
 * (evidence, uploads, a garbage collection) can make a request wait. It has no timers: it is awake when the browser
 * writes, which the main thread makes sure of once the run is armed (`liveness.ts`).
 *
 * Returns when the browser has exited or the main thread has asked the thread to stop; the reason is its last report.
 */
export function runGuardThread(data: GuardThreadData, rules: GuardRules): void {
  const { port, memory, selfTest } = data;
  const { cells } = memory;
  const ring = ringWriter(memory.ring);
  const backpressure = createBackpressure(cells);
  const report = (content: GuardReport): void => {
    const bytes = estimatedBytes(content);
    backpressure.add(bytes);
    port.postMessage({ report: content, after: ring.position, bytes } satisfies SequencedReport);
  };
  const continued = (at: number, message: Buffer, urgent: boolean): void => {
    // A copy: posting a piece of a buffer copies the whole of it.
    if (!ring.put(at, message)) report({ kind: 'continued', at, message: new Uint8Array(message) });
    else if (urgent) report({ kind: 'drain' });
  };
  const stopped = (): boolean => Atomics.load(cells, STOP_REQUESTED) !== 0;

  const guardUntilExit = (input: number, output: number): ThreadExit => {
    const guard = createBrowserGuard({
      ...rules,
      selfTest,
      write: (text) => void writeSync(output, `${text}\0`),
      report,
      continued,
    });
    const bytes = Buffer.allocUnsafeSlow(PIPE_BYTES);
    const read = (into: Buffer, offset: number): number => readSync(input, into, offset, into.length - offset, null);
    try {
      for (;;) {
        backpressure.waitForRoom();
        const count = readChunk(bytes, read);
        if (stopped()) return { kind: 'stopped' };
        if (count === 0) return { kind: 'browser-exited' };
        Atomics.add(cells, READ_COUNT, 1);
        guard.take(bytes.subarray(0, count));
      }
    } finally {
      guard.close();
    }
  };
  const connected = (input: number, output: number): ThreadExit => {
    Atomics.store(cells, EVENTS_FD, input);
    Atomics.store(cells, COMMANDS_FD, output);
    // One browser for the life of a run: with the names gone no second one can join.
    for (const path of [data.events, data.commands]) rmSync(path, { force: true });
    if (stopped()) return { kind: 'stopped' };
    report({ kind: 'connected' });
    return guardUntilExit(input, output);
  };

  report({ kind: 'exited', exit: withPipes(data, stopped, connected) });
  Atomics.store(cells, EXITED, 1);
  Atomics.notify(cells, EXITED);
  port.close();
}

/** Waits for the browser: a named pipe opens when both its ends are opened. Both pipes are closed on return. */
function withPipes(
  { events, commands, memory: { cells } }: GuardThreadData,
  stopped: () => boolean,
  connected: (input: number, output: number) => ThreadExit,
): ThreadExit {
  const open: number[] = [];
  try {
    if (stopped()) return { kind: 'stopped' };
    // In the order of the browser's start script.
    const input = openSync(events, 'r');
    open.push(input);
    if (stopped()) return { kind: 'stopped' };
    const output = openSync(commands, 'w');
    open.push(output);
    return connected(input, output);
  } catch (error) {
    return exitFor(error);
  } finally {
    Atomics.store(cells, EVENTS_FD, 0);
    Atomics.store(cells, COMMANDS_FD, 0);
    for (const file of open) closeSync(file);
  }
}

function exitFor(error: unknown): ThreadExit {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return { kind: 'browser-exited' };
  if (error instanceof UnreadablePipe) return { kind: 'unreadable-pipe', message: error.message };
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
}
