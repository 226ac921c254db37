import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface RowWriterOptions<T> {
  readonly path: string;
  /** For notes: `actions.jsonl`. */
  readonly name: string;
  /** Bytes the file may grow to. */
  readonly cap: number;
  /** Maximum bytes of waiting rows, by `sizeOf`. */
  readonly queueBytes: number;
  readonly sizeOf: (row: T) => number;
  /** A smaller form of a row, tried when the queue is full before the row is dropped. */
  readonly shrink?: (row: T) => T;
  /** One line without its newline. Not called within `push`, because a body of megabytes takes a tenth of a second. */
  readonly render: (row: T) => string;
  readonly onNote: (note: string) => void;
  readonly onDiskError: (error: Error) => void;
}

/** An append-only JSONL file whose caller never waits. */
export interface RowWriter<T> {
  /** Never throws; returns at once. */
  readonly push: (row: T) => void;
  /** Resolves when all rows pushed before are in the file. */
  readonly drained: () => Promise<void>;
  /** Later rows are ignored. */
  readonly close: () => Promise<void>;
  /** Rows in the file or in the queue. */
  readonly rows: number;
  /** Bytes in the file. */
  readonly bytes: number;
}

/** Whole lines that are written to the disk together. */
interface LineBatch {
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly bytes: number;
  readonly rows: number;
}

const BATCH_BYTES = 256 * 1024;
/**
 * Rows of this span are written together: a page that requests a hundred things must not cost a hundred writes (0.4 ms of
 * processor time each). A SIGKILL of the recorder loses at most these rows. They would not have been uploaded either,
 * because that happens every ten seconds and drains the queue first.
 */
const GATHER_MS = 500;

/** @throws when the file cannot be created. */
export async function openRowWriter<T>(options: RowWriterOptions<T>): Promise<RowWriter<T>> {
  const file = await open(options.path, 'a');
  const state = { rows: 0, bytes: (await file.stat()).size, waiting: 0, full: false, closed: false };
  const queue: T[] = [];
  let writing: Promise<void> | null = null;
  let writeNow = (): void => undefined;

  const refuse = (count: number, why: string): void => {
    state.rows -= count;
    options.onNote(`${options.name}: ${why}`);
  };
  const nextBatch = async (): Promise<LineBatch> => {
    let text = '';
    // Counted line by line: measuring the growing text each time made the cost of a busy page's rows quadratic.
    let bytes = 0;
    let rows = 0;
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      state.waiting -= options.sizeOf(row);
      const line = state.full ? '' : `${options.render(row)}\n`;
      const length = Buffer.byteLength(line);
      if (state.full || state.bytes + bytes + length > options.cap) {
        state.full = true;
        refuse(1, `the cap of ${options.cap} bytes was reached; later rows are not kept.`);
        continue;
      }
      text += line;
      bytes += length;
      rows += 1;
      if (text.length >= BATCH_BYTES) break;
      if (line.length > BATCH_BYTES / 8) await nextTurn();
    }
    return { text, bytes, rows };
  };
  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      writeNow = resolve;
      setTimeout(resolve, GATHER_MS).unref();
    });
  const writeAll = async (): Promise<void> => {
    if (!state.closed) await gather();
    while (queue.length > 0) {
      const { text, bytes, rows } = await nextBatch();
      if (rows === 0) continue;
      try {
        await append(file, text, state.bytes);
        state.bytes += bytes;
      } catch (error) {
        refuse(rows, `rows could not be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
        options.onDiskError(error as Error);
      }
    }
    writing = null;
  };
  const start = (): void => void (writing ??= writeAll());
  return {
    push: (row) => {
      if (state.closed) return;
      state.rows += 1;
      const accepted = fitted(row, options, state.waiting);
      if (accepted === null) {
        refuse(1, 'rows came faster than they could be written; some are missing.');
        return;
      }
      state.waiting += options.sizeOf(accepted);
      queue.push(accepted);
      start();
    },
    drained: async () => {
      writeNow();
      while (writing) await writing;
    },
    close: async () => {
      if (state.closed) return;
      state.closed = true;
      writeNow();
      while (writing) await writing;
      await file.sync().catch(() => undefined);
      await file.close();
    },
    get rows() {
      return state.rows;
    },
    get bytes() {
      return state.bytes;
    },
  };
}

function fitted<T>(row: T, options: RowWriterOptions<T>, waiting: number): T | null {
  if (waiting + options.sizeOf(row) <= options.queueBytes) return row;
  const light = options.shrink?.(row);
  return light !== undefined && waiting + options.sizeOf(light) <= options.queueBytes ? light : null;
}

/** Appends all of `text` or nothing: one broken line makes upstream take a good run for an infrastructure failure. */
async function append(file: FileHandle, text: string, size: number): Promise<void> {
  try {
    await file.appendFile(text);
  } catch (error) {
    await file.truncate(size).catch(() => undefined);
    throw error;
  }
}
