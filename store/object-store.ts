/**
 * The object store for the recorder, the judge, `prepare` and the command line. Two implementations: S3 (cluster) and a
 * directory (local session, tests of formats). Keys are relative to the prefix of the store, use `/`, and never start with
 * it. Conditional writes are required: they keep two attempts from overwriting each other, so `prepare` refuses a store
 * without them.
 */
export interface ObjectStore {
  /** `s3://bucket/prefix/` or a directory path, for messages. */
  readonly describe: string;
  /**
   * Writes an object. With `ifNoneMatch: '*'` it fails with {@link StoreConflict} if the key exists.
   * @returns the number of bytes written
   */
  put(key: string, body: Uint8Array | string, options?: PutOptions): Promise<number>;
  /** Uploads a file of any size with bounded memory (multipart in S3; aborted on failure). */
  putFile(key: string, path: string, options?: PutOptions): Promise<number>;
  /**
   * The bytes of the object, or null if it does not exist.
   * @param first read at most this many bytes from the beginning; all if omitted
   */
  get(key: string, first?: number): Promise<Uint8Array | null>;
  /** Keys that start with `prefix` in byte order, with sizes. */
  list(prefix: string): AsyncIterable<{ key: string; size: number }>;
  /** Deletes objects. Missing ones are ignored. */
  delete(keys: readonly string[]): Promise<void>;
}

export interface PutOptions {
  readonly ifNoneMatch?: '*';
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** A conditional write failed because the object exists. Never retried. */
export class StoreConflict extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`object ${key} already exists`);
    this.name = 'StoreConflict';
    this.key = key;
  }
}

/** The store refused a call (credentials, bucket, permission). Not retried; `message` says what to change. */
export class StoreRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'StoreRefused';
    this.code = code;
  }
}

/** The store did not respond, or responded that it is unavailable (network, 5xx, throttling). The same call may succeed later. */
export class StoreUnavailable extends Error {
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
    this.code = code;
  }
}
