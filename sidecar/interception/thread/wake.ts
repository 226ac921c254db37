import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { INPUT, LEFT, OUTPUT } from './memory.ts';

/** The thread answers within a millisecond, unless the machine has no time for it. */
export const LEAVING_MS = 2_000;
const WAKING_MS = 50;
/** What a pipe holds. */
const PIPE_BYTES = 64 * 1024;

/**
 * Ends what the thread waits for, until it has left: a browser that opens its ends, one that speaks, or one that reads.
 * Each of the two pipes gets its other end for a moment, whoever else holds one. Blocks, for two seconds at most.
 */
export function wake(
  { events, commands }: { readonly events: string; readonly commands: string },
  cells: Int32Array,
): void {
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
