/**
 * The object store as the recorder, the judge, `prepare` and the command line see it. Two implementations: S3 (cluster)
 * and a directory (local session, tests of formats). Keys are relative to the store's own prefix, use `/`, and never
 * start with one. Conditional writes are part of the contract: they are what keeps two attempts from overwriting each
 * other, so a store without them is refused by `prepare`.
 */
export interface ObjectStore {
  /** `s3://bucket/prefix/` or a directory path; for people. */
  readonly describe: string;
  /**
   * Writes a whole object. With `ifNoneMatch: '*'` it fails with {@link StoreConflict} when the key exists.
   * @returns the number of bytes written.
   */
  put(key: string, body: Uint8Array | string, options?: PutOptions): Promise<number>;
  /** Uploads a file of any size with bounded memory (multipart in S3; aborted on failure). */
  putFile(key: string, path: string, options?: PutOptions): Promise<number>;
  /**
   * The object's bytes, or null when there is none.
   * @param first so many bytes of its beginning and no more, whatever its size; left out: all of it.
   */
  get(key: string, first?: number): Promise<Uint8Array | null>;
  /** Keys below `prefix` in byte order, with sizes. */
  list(prefix: string): AsyncIterable<{ key: string; size: number }>;
  /** Deleting what is not there succeeds. */
  delete(keys: readonly string[]): Promise<void>;
}

export interface PutOptions {
  readonly ifNoneMatch?: '*';
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** A conditional write lost: somebody else's object is there. Final; never retried. */
export class StoreConflict extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`object ${key} exists already`);
    this.name = 'StoreConflict';
    this.key = key;
  }
}

/** The store refuses us (credentials, bucket, permission). Retrying the same call will not help; `message` says what to change. */
export class StoreRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'StoreRefused';
    this.code = code;
  }
}

/** The store did not answer, or answered that it cannot now (network, 5xx, throttling). The same call may succeed later. */
export class StoreUnavailable extends Error {
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
    this.code = code;
  }
}
