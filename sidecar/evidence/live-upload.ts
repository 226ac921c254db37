import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { ObjectStore } from '../../store/object-store.ts';
import type { LiveChunk, LiveSource } from './live-source.ts';

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
  /** `evidenceIntervalSeconds` of the run's configuration, 10 s by default (`benchmark/protocol/run-config.ts`). */
  readonly intervalMs: number;
  /** Whole files are uploaded first, then these in order, so that with little time the small files are safe before the video. */
  readonly sources: readonly LiveSource[];
  /** The whole files that exist now. */
  readonly wholeFiles: () => readonly WholeFile[];
  /** Writes what is still in memory. */
  readonly settle: () => Promise<void>;
  readonly log: Logger;
  readonly onRetry: () => void;
}

export interface LiveUpload {
  /** Uploads now rather than at the next tick. */
  readonly uploadNow: () => void;
  /** Uploads everything written so far, one try each, until the signal. */
  readonly flush: (signal: AbortSignal) => Promise<void>;
  /** Ends the loop and gives up an upload in progress. */
  readonly stop: () => Promise<void>;
  /** Whole files in the store, by path; shared with `uploadBundle`. */
  readonly stored: Map<string, StoredFile>;
  /** Whether any object of this attempt is in the store. */
  readonly hasUploaded: boolean;
}

/** Uploads growing files as chunk objects `live/<file>/<8 digits>`; joined in order they are the file so far. */
export function startLiveUpload(options: LiveUploadOptions): LiveUpload {
  const { store, prefix } = options;
  const stored = new Map<string, StoredFile>();
  const chunks = new Map<string, number>();
  const stopping = new AbortController();
  let isFailing = false;
  let hasUploaded = false;
  let round: Promise<void> = Promise.resolve();
  let wake: () => void = () => undefined;
  let requested = false;

  const chunkKey = (name: string, seq: number): string => `${prefix}live/${name}/${String(seq).padStart(8, '0')}`;
  const putChunk = async (name: string, chunk: LiveChunk, signal: AbortSignal): Promise<void> => {
    const seq = chunks.get(name) ?? 0;
    if (chunk.restarted) {
      await abortable(store.delete(Array.from({ length: seq }, (_, i) => chunkKey(name, i))), signal);
      chunks.set(name, 0);
    }
    await abortable(store.put(chunkKey(name, chunks.get(name) ?? 0), chunk.bytes, { signal }), signal);
    hasUploaded = true;
    chunks.set(name, (chunks.get(name) ?? 0) + 1);
    chunk.uploaded();
  };
  const putWhole = async (file: WholeFile, signal: AbortSignal): Promise<void> => {
    const bytes = await readFile(file.source);
    await abortable(store.put(prefix + file.path, bytes, { signal }), signal);
    hasUploaded = true;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    stored.set(file.path, { size: bytes.byteLength, sha256 });
  };
  const uploadAll = async (signal: AbortSignal): Promise<void> => {
    await options.settle();
    for (const file of options.wholeFiles()) if (!stored.has(file.path)) await putWhole(file, signal);
    for (const source of options.sources)
      for (let chunk = await source.next(); chunk; chunk = await source.next())
        await putChunk(source.name, chunk, signal);
  };
  const tryUpload = async (signal: AbortSignal): Promise<void> => {
    try {
      await uploadAll(signal);
      if (isFailing) options.log.info('evidence upload recovered; the backlog is uploaded');
      isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      options.onRetry();
      if (!isFailing)
        options.log.warn(
          { reason: (error as Error).message },
          'evidence upload failed; the evidence stays on disk and the upload is retried',
        );
      isFailing = true;
    }
  };
  const once = (signal: AbortSignal): Promise<void> => {
    round = round.then(() => (signal.aborted ? undefined : tryUpload(signal)));
    return round;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      requested = false;
      await once(stopping.signal);
      if (requested || stopping.signal.aborted) continue;
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
    uploadNow: () => {
      requested = true;
      wake();
    },
    flush: async (signal) => {
      // The round before this one may hang in a call.
      await abortable(once(signal), signal).catch(() => undefined);
    },
    stop: async () => {
      stopping.abort();
      wake();
      await running;
    },
    get hasUploaded() {
      return hasUploaded;
    },
  };
}

/** Stops waiting at the signal, even if the store ignores it. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = (): void => reject(new DOMException('given up', 'AbortError'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
