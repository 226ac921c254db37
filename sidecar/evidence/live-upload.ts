import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { ObjectStore } from '../../store/object-store.ts';
import type { LiveSource, Piece } from './live-source.ts';

/** A whole file that can be uploaded as soon as it is written: a screenshot, `interception.json`. */
export interface WholeFile {
  /** Below the attempt's prefix: `data/screenshots/1.png`. */
  readonly path: string;
  readonly source: string;
}
export interface StoredFile {
  readonly size: number;
  readonly sha256: string;
}

export interface LiveUploadOptions {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly intervalMs: number;
  /** Whole files come first, then these in order: in a hurry the small and telling ones are safe before the video. */
  readonly sources: readonly LiveSource[];
  /** The whole files there are now. */
  readonly wholeFiles: () => readonly WholeFile[];
  /** Writes what is still in memory. */
  readonly settle: () => Promise<void>;
  readonly log: Logger;
  readonly onRetry: () => void;
}

export interface LiveUpload {
  /** Uploads now rather than at the next tick. */
  readonly kick: () => void;
  /** Everything written so far, one try each, until the signal. */
  readonly flush: (signal: AbortSignal) => Promise<void>;
  /** Ends the loop; an upload on its way is given up. */
  readonly stop: () => Promise<void>;
  /** Whole files in the store, by path; shared with the finaliser. */
  readonly stored: Map<string, StoredFile>;
  /** Whether any object of this attempt is in the store. */
  readonly anything: boolean;
}

/** Chunk objects `live/<file>/<8 digits>` in order; joined they are the file so far. */
export function startLiveUpload(options: LiveUploadOptions): LiveUpload {
  const { store, prefix } = options;
  const stored = new Map<string, StoredFile>();
  const chunks = new Map<string, number>();
  const ending = new AbortController();
  let away = false;
  let anything = false;
  let round: Promise<void> = Promise.resolve();
  let wake: () => void = () => undefined;
  let kicked = false;

  const chunkKey = (name: string, seq: number): string => `${prefix}live/${name}/${String(seq).padStart(8, '0')}`;
  const putChunk = async (name: string, piece: Piece, signal: AbortSignal): Promise<void> => {
    const seq = chunks.get(name) ?? 0;
    if (piece.restarted) {
      await abortable(store.delete(Array.from({ length: seq }, (_, i) => chunkKey(name, i))), signal);
      chunks.set(name, 0);
    }
    await abortable(store.put(chunkKey(name, chunks.get(name) ?? 0), piece.bytes, { signal }), signal);
    anything = true;
    chunks.set(name, (chunks.get(name) ?? 0) + 1);
    piece.taken();
  };
  const putWhole = async (file: WholeFile, signal: AbortSignal): Promise<void> => {
    const bytes = await readFile(file.source);
    await abortable(store.put(prefix + file.path, bytes, { signal }), signal);
    anything = true;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    stored.set(file.path, { size: bytes.byteLength, sha256 });
  };
  const uploadAll = async (signal: AbortSignal): Promise<void> => {
    await options.settle();
    for (const file of options.wholeFiles()) if (!stored.has(file.path)) await putWhole(file, signal);
    for (const source of options.sources)
      for (let piece = await source.next(); piece; piece = await source.next())
        await putChunk(source.name, piece, signal);
  };
  const attempt = async (signal: AbortSignal): Promise<void> => {
    try {
      await uploadAll(signal);
      if (away) options.log.info('evidence: the store answers again; the backlog is uploaded');
      away = false;
    } catch (error) {
      if (signal.aborted) return;
      options.onRetry();
      if (!away)
        options.log.warn({ reason: (error as Error).message }, 'evidence: uploads fail; kept on disk, tried again');
      away = true;
    }
  };
  const once = (signal: AbortSignal): Promise<void> => {
    round = round.then(() => (signal.aborted ? undefined : attempt(signal)));
    return round;
  };
  const loop = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      kicked = false;
      await once(ending.signal);
      if (kicked || ending.signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        // Half the interval: a row written just after a round must still be safe within one.
        setTimeout(resolve, options.intervalMs / 2).unref();
      });
    }
  };
  const running = loop();
  return {
    stored,
    kick: () => {
      kicked = true;
      wake();
    },
    flush: async (signal) => {
      // The round before ours may hang in a call of its own.
      await abortable(once(signal), signal).catch(() => undefined);
    },
    stop: async () => {
      ending.abort();
      wake();
      await running;
    },
    get anything() {
      return anything;
    },
  };
}

/** Gives up waiting at the signal, whatever the store does with it. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = (): void => reject(new DOMException('given up', 'AbortError'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
