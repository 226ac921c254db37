import { decodeBody, type BodyStatus, type DecodedBody } from '../request/body.ts';
import type { JsonObject, JsonValue } from '../text/json.ts';
import { queryParams } from '../request/query-params.ts';
import { redactHeaders } from './redact.ts';

/** A request as the guard reports it; structurally `ObservedRequest` of the recorder. */
export interface LoggedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** CDP's resource type; empty becomes `Other`. */
  readonly resourceType: string;
  readonly body?: Uint8Array | undefined;
  readonly bodyStatus: BodyStatus;
}

/** A row of `requests.jsonl` in upstream's form. Write it with `stringifyJson`: ids above 2^53 are `bigint`. */
export interface RequestRow {
  /** Seconds since the epoch, float. */
  readonly timestamp: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: JsonValue;
  readonly query_params: JsonObject;
  readonly resource_type: string;
  /** Only when the body is incomplete. */
  readonly body_status?: BodyStatus;
}

/** The row of a request; credentials in headers are redacted. The writer redacts known secrets (`createRedactor`). */
export function requestLogRow(request: LoggedRequest, decoded: DecodedBody = decodeLogged(request)): RequestRow {
  const row: RequestRow = {
    timestamp: request.at / 1000,
    url: request.url,
    method: request.method,
    headers: redactHeaders(request.headers),
    body: writableBody(decoded),
    query_params: queryParams(request.url),
    resource_type: request.resourceType === '' ? 'Other' : request.resourceType,
  };
  const whole = decoded.status === 'none' || decoded.status === 'complete';
  return whole ? row : { ...row, body_status: decoded.status };
}

/** Decodes the body of a request. */
export function decodeLogged(request: LoggedRequest): DecodedBody {
  return decodeBody({ bytes: request.body, status: request.bodyStatus, headers: request.headers });
}

/** The fields, or the text when they are nested too deeply to be written. */
export function writableBody(decoded: DecodedBody): JsonValue {
  return decoded.deep ? decoded.text : decoded.fields;
}

const OWN = ['http://localhost:', 'http://127.0.0.1:'];
const UNLOGGED = ['chrome-extension://', 'devtools://', 'chrome://'];

/**
 * Whether a request is written to `requests.jsonl`: like upstream, the log excludes our control API and the browser's own
 * pages by a prefix test. This affects only the log; the predicate sees every request.
 */
export function isLogged(url: string, controlPort = 7878): boolean {
  const own = OWN.find((prefix) => url.startsWith(prefix));
  if (own !== undefined) return !url.startsWith(String(controlPort), own.length);
  return !UNLOGGED.some((prefix) => url.startsWith(prefix));
}
