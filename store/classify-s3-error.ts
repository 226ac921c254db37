import type { S3Location } from '../benchmark/protocol/run-config.ts';
import { StoreConflict, StoreRefused, StoreUnavailable } from './object-store.ts';

interface Shape {
  name?: string;
  code?: string;
  message?: string;
  cause?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/** The parts of a response that the table below uses. */
interface Answer {
  readonly code: string;
  readonly status: number;
  readonly where: S3Location;
  readonly operation: string;
}

interface Refusal {
  readonly when: (answer: Answer) => boolean;
  readonly sentence: (answer: Answer) => string;
}

/** Error codes for invalid credentials; versitygw uses XAdminUserNotFound and status 404 for an unknown key. */
const CREDENTIALS =
  /AccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|InvalidSecurity|UnrecognizedClient|UserNotFound/;
const REGION = /PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraint/;
/** Status codes of client errors that may succeed later. */
const TRANSIENT = new Set([408, 409, 423, 425, 429]);

/** First match applies. */
const REFUSALS: readonly Refusal[] = [
  {
    when: ({ code }) => code === 'NoSuchBucket',
    sentence: ({ where }) =>
      `The bucket "${where.bucket}" does not exist at ${place(where)}; create it, or correct artifacts.s3.bucket.`,
  },
  {
    when: ({ code, status }) => REGION.test(code) || status === 301,
    sentence: ({ where, code }) =>
      `The bucket "${where.bucket}" is not in region "${where.region}" (${code}); correct artifacts.s3.region or endpoint.`,
  },
  {
    when: ({ code, status }) => CREDENTIALS.test(code) || status === 401,
    sentence: ({ where, code }) =>
      `The S3 store at ${place(where)} refused the credentials (${code}); correct accessKeyId and secretAccessKey in the Secret of artifacts.s3.secretRef.`,
  },
  {
    when: ({ code }) => code === 'RequestTimeTooSkewed',
    sentence: ({ where }) =>
      `The S3 store at ${place(where)} refused the request because of the clock skew; synchronize the clock of the node.`,
  },
  {
    when: ({ code, status }) => code === 'NotImplemented' || status === 501,
    sentence: ({ where, operation }) =>
      `The S3 store at ${place(where)} does not support a request to ${operation}; use a store with conditional writes and multipart uploads.`,
  },
  {
    when: ({ code, status }) => code === 'AccessDenied' || status === 403,
    sentence: ({ where, operation, code }) =>
      `The credentials are not allowed to ${operation} in bucket "${where.bucket}" at ${place(where)} (${code}); grant s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket.`,
  },
  {
    when: ({ code, status }) =>
      status >= 400 && status < 500 && !TRANSIENT.has(status) && !/Timeout|NoSuchUpload/.test(code),
    sentence: ({ where, operation, code }) =>
      `The S3 store at ${place(where)} refused to ${operation} (${code}); check artifacts.s3.endpoint, region and forcePathStyle.`,
  },
];

/**
 * Maps the errors of S3-compatible servers to StoreConflict, StoreRefused and StoreUnavailable; only the last is
 * retried (`retry.ts`). The message of a refusal
 * names the field to change, because it appears in the status of the batch, without a log.
 */
export function s3Error(error: unknown, where: S3Location, operation: string, key: string): Error {
  const shape = error as Shape;
  const answer = { code: shape.name ?? 'Unknown', status: shape.$metadata?.httpStatusCode ?? 0, where, operation };
  if (answer.status === 412) return new StoreConflict(key);
  if (answer.code === 'AbortError' || error instanceof RangeError) return error as Error;
  const refusal = REFUSALS.find(({ when }) => when(answer));
  if (refusal) return new StoreRefused(answer.code, refusal.sentence(answer));
  const detail = shape.code ?? (answer.status > 0 ? `${answer.code}, status ${answer.status}` : answer.code);
  const message = `${operation} at ${place(where)} failed (${detail}): ${brief(shape)}`;
  return new StoreUnavailable(detail, message, error);
}

function place(where: S3Location): string {
  return where.endpoint ?? `AWS (${where.region})`;
}

function brief(shape: Shape): string {
  const cause = shape.cause instanceof Error ? ` (${shape.cause.message})` : '';
  return `${(shape.message ?? '').slice(0, 200) || 'no message'}${cause.slice(0, 200)}`;
}
