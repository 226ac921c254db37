/** What a call to the API server can end in, as types: callers decide by predicate, never by message text. */

export interface StatusCause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface ApiErrorFields {
  readonly status: number;
  /** The API's word (`NotFound`, `AlreadyExists`, `Conflict`, `Expired`, …); empty when the body was no Status. */
  readonly reason: string;
  readonly message: string;
  readonly method: string;
  readonly path: string;
  readonly retryAfterMs?: number;
  readonly causes?: readonly StatusCause[];
}

/** The API server answered, and the answer was no. */
export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly method: string;
  readonly path: string;
  readonly retryAfterMs: number | undefined;
  readonly causes: readonly StatusCause[];
  constructor(fields: ApiErrorFields) {
    super(`${fields.method} ${fields.path}: ${fields.status} ${fields.reason}: ${fields.message}`);
    this.name = 'ApiError';
    this.status = fields.status;
    this.reason = fields.reason;
    this.method = fields.method;
    this.path = fields.path;
    this.retryAfterMs = fields.retryAfterMs;
    this.causes = fields.causes ?? [];
  }
}

/** No answer, or half of one. Whether a write was executed is unknown: read before doing it again. */
export class ApiUnreachable extends Error {
  readonly timedOut: boolean;
  constructor(message: string, options: { readonly timedOut: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'ApiUnreachable';
    this.timedOut = options.timedOut;
  }
}

const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** 404: the object (or the kind) is not there. */
export const isNotFound = (error: unknown): boolean => hasStatus(error, 404);
/** 409 on create: the name is taken. */
export const isAlreadyExists = (error: unknown): boolean => hasStatus(error, 409) && error.reason === 'AlreadyExists';
/** A patch with another object's UID is answered as an invalid change of `metadata.uid` (seen on 1.36), not as 409. */
const isOtherUid = (error: unknown): boolean =>
  hasStatus(error, 422) && error.causes.some((cause) => cause.field === 'metadata.uid');
/** A write whose resourceVersion, UID or field ownership did not match, and which changed nothing. Read again. */
export const isConflict = (error: unknown): boolean =>
  (hasStatus(error, 409) && error.reason !== 'AlreadyExists') || isOtherUid(error);
/** 410: the resourceVersion or continue token is too old. List again. */
export const isGone = (error: unknown): boolean => hasStatus(error, 410);
/** 403 on create because the namespace is being deleted: it will never fit. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  hasStatus(error, 403) && error.causes.some((cause) => cause.reason === 'NamespaceTerminating');

/** Whether the same call may succeed later although nothing is changed by us: no answer, 429, 5xx. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiUnreachable) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

/** Builds the error from a refused answer: a `Status` object when the API server wrote one, else the raw text. */
export function apiErrorFrom(
  call: { readonly method: string; readonly path: string },
  answer: { readonly status: number; readonly retryAfter?: string; readonly text: string },
): ApiError {
  const { reason = '', message = answer.text.slice(0, 300), details = {} } = parseStatus(answer.text);
  const retryAfterMs = parseRetryAfter(answer.retryAfter) ?? secondsToMs(details.retryAfterSeconds);
  return new ApiError({
    ...call,
    status: answer.status,
    reason,
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    causes: details.causes ?? [],
  });
}

/** `metav1.Status`, as far as it is used here; also what a watch sends in an `ERROR` event. */
export interface ApiStatus {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly StatusCause[]; readonly retryAfterSeconds?: number };
}

function parseStatus(text: string): ApiStatus {
  try {
    const parsed = JSON.parse(text) as ApiStatus | null;
    return parsed?.kind === 'Status' ? parsed : {};
  } catch {
    return {};
  }
}

/** Seconds only: the API server never sends the HTTP-date form. */
function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) * 1000 : undefined;
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds <= 0 ? undefined : seconds * 1000;
}
