import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import pLimit from 'p-limit';
import type { S3Location } from '../benchmark/protocol/run-config.ts';
import { checkKey, normalPrefix } from './key.ts';
import { type ObjectStore, type PutOptions, StoreRefused } from './object-store.ts';
import { s3Error } from './classify-s3-error.ts';

/** S3's minimum (and 10,000 parts are 50 GB): with two in flight, 10 MiB of a file in memory, whatever its size. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_IN_FLIGHT = 2;
/** Time limit of a request, against connections without a response; 5 MiB in a minute are 0.7 Mbit/s. */
const REQUEST_MS = 60_000;
/** Concurrent single deletes. DeleteObjects is not used, since S3-compatible stores disagree about its body checksum. */
const DELETES_IN_FLIGHT = 8;

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`. @throws StoreRefused when one of the first two is missing. */
export function s3Credentials(env: Readonly<Record<string, string | undefined>>): S3Credentials {
  const accessKeyId = env.AWS_ACCESS_KEY_ID ?? '';
  const secretAccessKey = env.AWS_SECRET_ACCESS_KEY ?? '';
  if (accessKeyId === '' || secretAccessKey === '')
    throw new StoreRefused(
      'CredentialsMissing',
      'No S3 credentials were found; set the keys accessKeyId and secretAccessKey in the Secret of artifacts.s3.secretRef (or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY on the command line).',
    );
  const sessionToken = env.AWS_SESSION_TOKEN ?? '';
  return { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) };
}

/**
 * A video of a gigabyte has 200 parts. If one request in a hundred fails, an upload that starts over at each failure would
 * never finish. The waits add up to about a minute; after a longer outage, the upload starts over.
 */
const TRIES_PER_PART = 12;

function s3Client(where: S3Location, credentials: S3Credentials, maxAttempts: number): S3Client {
  return new S3Client({
    region: where.region,
    forcePathStyle: where.forcePathStyle,
    credentials,
    maxAttempts,
    // The SDK's default adds CRC trailers that many S3-compatible stores reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    ...(where.endpoint === undefined ? {} : { endpoint: where.endpoint }),
  });
}

/** Opens an S3 location without connecting to it. Calls are not retried; see {@link retryStore}. */
export function openS3Store(where: S3Location, credentials: S3Credentials): ObjectStore {
  const client = s3Client(where, credentials, 1);
  const patient = s3Client(where, credentials, TRIES_PER_PART);
  const prefix = normalPrefix(where.prefix);
  const at = (key: string): { Bucket: string; Key: string } => ({ Bucket: where.bucket, Key: prefix + checkKey(key) });
  const guarded = async <T>(operation: string, key: string, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw s3Error(error, where, operation, key);
    }
  };
  const put = (key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<number> =>
    guarded('write', key, async () => {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      await client.send(new PutObjectCommand({ ...at(key), ...headers(options), Body: bytes }), limit(options.signal));
      return bytes.byteLength;
    });
  return {
    describe: `s3://${where.bucket}/${prefix}`,
    put,
    putFile: async (key, path, options = {}) => {
      const { size } = await stat(path);
      if (size <= PART_BYTES) return put(key, await readFile(path), options);
      return guarded('write', key, () => putLarge(patient, { ...at(key), ...headers(options) }, path, options.signal));
    },
    get: (key, first) =>
      guarded('read', key, async () => {
        try {
          const found = await client.send(new GetObjectCommand({ ...at(key), ...range(first) }), limit(undefined));
          return (await found.Body?.transformToByteArray()) ?? new Uint8Array();
        } catch (error) {
          if ((error as Error).name === 'NoSuchKey') return null;
          // An empty object has no first byte.
          if (first !== undefined && (error as Error).name === 'InvalidRange') return new Uint8Array();
          throw error;
        }
      }),
    list: (below) => listBucket(client, where, prefix, below),
    delete: async (keys) => {
      const gate = pLimit(DELETES_IN_FLIGHT);
      const one = (key: string): Promise<unknown> =>
        guarded('delete', key, () => client.send(new DeleteObjectCommand(at(key)), limit(undefined)));
      await Promise.all(keys.map((key) => gate(one, key)));
    },
  };
}

function range(first: number | undefined): { Range?: string } {
  return first === undefined ? {} : { Range: `bytes=0-${String(first - 1)}` };
}

function headers(options: PutOptions): { IfNoneMatch?: string; ContentType?: string } {
  return {
    ...(options.ifNoneMatch ? { IfNoneMatch: options.ifNoneMatch } : {}),
    ...(options.contentType ? { ContentType: options.contentType } : {}),
  };
}

function limit(signal: AbortSignal | undefined): { abortSignal: AbortSignal } {
  const timeout = AbortSignal.timeout(REQUEST_MS);
  return { abortSignal: signal ? AbortSignal.any([signal, timeout]) : timeout };
}

async function putLarge(
  client: S3Client,
  params: { Bucket: string; Key: string },
  path: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  signal?.throwIfAborted();
  const body = createReadStream(path);
  let bytes = 0;
  body.on('data', (chunk) => (bytes += chunk.length));
  const upload = new Upload({
    client,
    params: { ...params, Body: body },
    partSize: PART_BYTES,
    queueSize: PARTS_IN_FLIGHT,
  });
  const abort = (): void => void upload.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await upload.done();
    return bytes;
  } catch (error) {
    // The library's own abort may lose the race with the signal, and parts left behind cost money.
    if (upload.uploadId !== undefined) await abortParts(client, { ...params, UploadId: upload.uploadId });
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    body.destroy();
  }
}

async function abortParts(client: S3Client, upload: { Bucket: string; Key: string; UploadId: string }): Promise<void> {
  const { Bucket, Key, UploadId } = upload;
  await client
    .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal: AbortSignal.timeout(5_000) })
    .catch(() => undefined); // Gone already, or the store is unavailable. Then only a lifecycle rule of the bucket removes them (docs/limitations.md).
}

async function* listBucket(
  client: S3Client,
  where: S3Location,
  prefix: string,
  below: string,
): AsyncGenerator<{ key: string; size: number }> {
  let token: string | undefined;
  do {
    const page = await client
      .send(
        new ListObjectsV2Command({
          Bucket: where.bucket,
          Prefix: prefix + below,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
        limit(undefined),
      )
      .catch((error: unknown) => {
        throw s3Error(error, where, 'list', below);
      });
    for (const entry of page.Contents ?? [])
      if (entry.Key !== undefined) yield { key: entry.Key.slice(prefix.length), size: entry.Size ?? 0 };
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}
