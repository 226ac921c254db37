import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { COMMANDS_FD, EVENTS_FD, EXITED, PIPE_BYTES } from './memory.ts';

/** Normally the thread exits within a millisecond; on a machine at load 20 it may not be scheduled for a second. */
export const EXIT_TIMEOUT_MS = 2_000;
const ATTEMPT_MS = 50;

/**
 * Ends the call in which the thread blocks, until it has exited: an open that waits for the browser, a read, or a write
 * that found the pipe full. For that, the other end of each pipe is opened for a moment, whoever else has it open.
 * Blocks for two seconds at most.
 */
export function unblockThread(
  { events, commands }: { readonly events: string; readonly commands: string },
  cells: Int32Array,
): void {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  for (let waited = 0; Atomics.load(cells, EXITED) === 0 && waited < EXIT_TIMEOUT_MS; waited += ATTEMPT_MS) {
    const ends = [
      openThreadsPipe(cells, EVENTS_FD, O_WRONLY | O_NONBLOCK) ?? openPipe(events, O_WRONLY | O_NONBLOCK),
      openThreadsPipe(cells, COMMANDS_FD, O_RDONLY | O_NONBLOCK) ?? openPipe(commands, O_RDONLY | O_NONBLOCK),
    ] as const;
    const [toThread, fromThread] = ends;
    if (toThread !== null) ignoringBusyPipe(() => writeSync(toThread, '\0'));
    // The thread's last command may have found no room.
    if (fromThread !== null) ignoringBusyPipe(() => readSync(fromThread, Buffer.alloc(PIPE_BYTES)));
    // Kept open meanwhile: an open that waits needs the other end.
    Atomics.wait(cells, EXITED, 0, ATTEMPT_MS);
    for (const end of ends) if (end !== null) closeSync(end);
  }
}

/** Ignores the errors of a non-blocking pipe that is full, empty or closed at the other end. */
export function ignoringBusyPipe(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!['EAGAIN', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Opens another end of a pipe that the thread has open and whose name is removed. Null when the thread has not opened
 * it, or has closed it, and when opening needs an other end that is gone.
 */
export function openThreadsPipe(
  cells: Int32Array,
  cell: typeof EVENTS_FD | typeof COMMANDS_FD,
  flags: number,
): number | null {
  const number = Atomics.load(cells, cell);
  const file = number === 0 ? null : openPipe(`/proc/self/fd/${String(number)}`, flags);
  // The thread clears the number before it closes the file: while it is there, no other file has it.
  if (file === null || Atomics.load(cells, cell) === number) return file;
  closeSync(file);
  return null;
}

/** Null when there is no pipe of that name, or when opening needs an other end that is not open. */
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
