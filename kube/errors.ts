/** Errors of calls to the API server. Callers use the predicates, never the text of a message. */

export interface StatusCause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface ApiErrorFields {
  readonly status: number;
  /** Reason of the Status (`NotFound`, `AlreadyExists`, `Conflict`, `Expired`, …); empty if the body was not a Status. */
  readonly reason: string;
  readonly message: string;
  readonly method: string;
  readonly path: string;
  readonly retryAfterMs?: number;
  readonly causes?: readonly StatusCause[];
}

/** The API server responded with an error. */
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

/** No or an incomplete response. A write may have been executed: read the object before repeating it. */
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

/** 404: the object or the kind does not exist. */
export const isNotFound = (error: unknown): boolean => hasStatus(error, 404);
/** 409 on create: the name is taken. */
export const isAlreadyExists = (error: unknown): boolean => hasStatus(error, 409) && error.reason === 'AlreadyExists';
/** The API server treats a patch with the UID of another object as an invalid change of `metadata.uid` (seen on 1.36), not as 409. */
const isOtherUid = (error: unknown): boolean =>
  hasStatus(error, 422) && error.causes.some((cause) => cause.field === 'metadata.uid');
/** The resourceVersion, UID or field ownership of a write did not match, so it changed nothing. Read the object again. */
export const isConflict = (error: unknown): boolean =>
  (hasStatus(error, 409) && error.reason !== 'AlreadyExists') || isOtherUid(error);
/** 410: the resourceVersion or continue token is too old. List again. */
export const isGone = (error: unknown): boolean => hasStatus(error, 410);
/** 403 on create because the namespace is being deleted. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  hasStatus(error, 403) && error.causes.some((cause) => cause.reason === 'NamespaceTerminating');

/** Whether the same call may succeed later without a change: no response, 429, 5xx. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiUnreachable) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

/** Creates the error from an error response: from its `Status` if it has one, otherwise from its text. */
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

/** The fields of `metav1.Status` that are used here; also the object of an `ERROR` event of a watch. */
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
