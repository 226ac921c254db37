import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TIMESTAMP_LIMITS } from '../../benchmark/bundle/action-row.ts';

export interface ScreenshotWriterOptions {
  /** `…/data/screenshots`. */
  readonly dir: string;
  /** Maximum bytes of all screenshots together. */
  readonly cap: number;
  readonly onNote: (note: string) => void;
  readonly onDiskError: (error: Error) => void;
}

export interface ScreenshotWriter {
  readonly push: (timestamp: number, png: Uint8Array) => void;
  /** Names of the complete files, in the order in which they were written. */
  readonly names: readonly string[];
  readonly drained: () => Promise<void>;
  readonly bytes: number;
}

/** Screenshots that wait for the disk; a 1080p PNG has up to 3 MB. */
const QUEUE_BYTES = 24 * 1024 * 1024;

/** @throws when the directory cannot be made. */
export async function openScreenshotWriter(options: ScreenshotWriterOptions): Promise<ScreenshotWriter> {
  await mkdir(options.dir, { recursive: true });
  const taken = new Set<number>();
  const names: string[] = [];
  let bytes = 0;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const write = async (name: string, png: Uint8Array): Promise<void> => {
    try {
      await writeFile(join(options.dir, name), png, { flag: 'wx' });
      names.push(name);
    } catch (error) {
      options.onNote(`screenshots: some could not be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
      options.onDiskError(error as Error);
    } finally {
      waiting -= png.byteLength;
    }
  };
  return {
    push: (timestamp, png) => {
      const problem = refusal(timestamp, png, { bytes, waiting, cap: options.cap });
      if (problem !== null) {
        options.onNote(`screenshots: ${problem}`);
        return;
      }
      const free = freeTimestamp(timestamp, taken);
      taken.add(free);
      bytes += png.byteLength;
      waiting += png.byteLength;
      last = last.then(() => write(`${String(free)}.png`, png));
    },
    names,
    drained: () => last,
    get bytes() {
      return bytes;
    },
  };
}

function refusal(
  timestamp: number,
  png: Uint8Array,
  state: { bytes: number; waiting: number; cap: number },
): string | null {
  // The timestamp comes from page script and becomes a file name.
  const usable =
    Number.isSafeInteger(timestamp) && timestamp >= TIMESTAMP_LIMITS.min && timestamp <= TIMESTAMP_LIMITS.max;
  if (!usable) return 'one with an impossible timestamp was not kept.';
  if (state.bytes + png.byteLength > state.cap)
    return `the cap of ${state.cap} bytes was reached; later ones are not kept.`;
  if (state.waiting + png.byteLength > QUEUE_BYTES)
    return 'they came faster than they could be written; some are missing.';
  return null;
}

/** Two actions in one millisecond must not overwrite each other's screenshot. */
function freeTimestamp(timestamp: number, taken: ReadonlySet<number>): number {
  let free = timestamp;
  while (taken.has(free)) free += 1;
  return free;
}
