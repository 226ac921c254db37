import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { EVENTS_FD, EXITED, COMMANDS_FD, PIPE_BYTES } from './memory.ts';

/** It takes a millisecond; a machine at load 20 may not come to it for a second. */
export const EXIT_TIMEOUT_MS = 2_000;
const WAKING_MS = 50;

/**
 * Ends what the thread waits for, until it has left: a browser that opens its ends, one that speaks, or one that reads.
 * Each of the two pipes gets its other end for a moment, whoever else holds one. Blocks, for two seconds at most.
 */
export function unblockThread(
  { events, commands }: { readonly events: string; readonly commands: string },
  cells: Int32Array,
): void {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  for (let waited = 0; Atomics.load(cells, EXITED) === 0 && waited < EXIT_TIMEOUT_MS; waited += WAKING_MS) {
    const ends = [
      openThreadsPipe(cells, EVENTS_FD, O_WRONLY | O_NONBLOCK) ?? openPipe(events, O_WRONLY | O_NONBLOCK),
      openThreadsPipe(cells, COMMANDS_FD, O_RDONLY | O_NONBLOCK) ?? openPipe(commands, O_RDONLY | O_NONBLOCK),
    ] as const;
    const [speaking, reading] = ends;
    if (speaking !== null) ignoringBusyPipe(() => writeSync(speaking, '\0'));
    // Its last answer may have found no room.
    if (reading !== null) ignoringBusyPipe(() => readSync(reading, Buffer.alloc(PIPE_BYTES)));
    // Held meanwhile: to an opening that waits they are the other end.
    Atomics.wait(cells, EXITED, 0, WAKING_MS);
    for (const end of ends) if (end !== null) closeSync(end);
  }
}

/** A pipe that is full, empty or without its other end takes or gives nothing: that is no error here. */
export function ignoringBusyPipe(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!['EAGAIN', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Another end of a pipe that the thread has open; its name is gone. Null when it has none open, or none any more, and
 * when the other end that this one needs is gone.
 */
export function openThreadsPipe(cells: Int32Array, cell: typeof EVENTS_FD | typeof COMMANDS_FD, flags: number): number | null {
  const number = Atomics.load(cells, cell);
  const file = number === 0 ? null : openPipe(`/proc/self/fd/${String(number)}`, flags);
  // The thread takes the number back before it closes the file: until then it is no other file's.
  if (file === null || Atomics.load(cells, cell) === number) return file;
  closeSync(file);
  return null;
}

/** Null where there is no pipe of that name, or nobody at the other end who is needed. */
export function openPipe(path: string, flags: number): number | null {
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
