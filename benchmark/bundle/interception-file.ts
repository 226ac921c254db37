import type { BodyStatus, DecodedBody } from '../request/body.ts';
import type { JsonObject, JsonValue } from '../text/json.ts';
import { queryParams } from '../request/query-params.ts';
import { redactHeaders } from './redact.ts';
import { decodeLogged, writableBody, type LoggedRequest } from './request-row.ts';
import { describeStop } from '../outcome/stop-reason.ts';

/** The blocked terminal request; structurally `InterceptedRequest` of the recorder. */
export interface TerminalRequest extends LoggedRequest {
  readonly frameUrl: string;
  readonly initiator: string;
}

/** `interception.json` after a match: upstream's four fields first, then ours. */
export interface InterceptionDocument {
  readonly intercepted: true;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly params: JsonObject;
    readonly body: JsonValue;
    readonly headers: Record<string, string>;
    /** Seconds since the epoch, float, as in `requests.jsonl`. */
    readonly timestamp: number;
    readonly resource_type: string;
    readonly frame_url: string;
    readonly initiator: string;
    readonly body_status: BodyStatus;
    /** The text as sent, or base64; null: no body. */
    readonly body_raw: string | null;
    readonly body_raw_encoding: 'utf-8' | 'base64' | null;
    readonly body_raw_truncated: boolean;
    readonly body_notes: readonly string[];
  };
  readonly schema: unknown;
}

/** `interception.json` of a run that ended without a match. */
export interface NoInterceptionDocument {
  readonly intercepted: false;
  readonly stop_reason: string;
  readonly stop_description: string;
  readonly request: null;
  readonly schema: unknown;
}

/** Limit of the raw bytes kept next to the fields: more than almost every body has. */
export const MAX_RAW_BYTES = 256 * 1024;

/** Content of `interception.json` on a match. Write it with `stringifyJson(…, 2)`, through the redactor. */
export function interceptionOnMatch(
  request: TerminalRequest,
  schema: unknown,
  decoded: DecodedBody = decodeLogged(request),
): InterceptionDocument {
  return {
    intercepted: true,
    request: {
      url: request.url,
      method: request.method,
      params: queryParams(request.url),
      body: writableBody(decoded),
      headers: redactHeaders(request.headers),
      timestamp: request.at / 1000,
      resource_type: request.resourceType === '' ? 'Other' : request.resourceType,
      frame_url: request.frameUrl,
      initiator: request.initiator,
      body_status: decoded.status,
      ...rawBody(decoded.bytes),
      body_notes: decoded.notes,
    },
    schema: schema ?? null,
  };
}

/** Content of `interception.json` without a match. An empty stop reason is `unknown`. */
export function interceptionWithoutMatch(stopReason: string, schema: unknown): NoInterceptionDocument {
  const reason = stopReason.trim() === '' ? 'unknown' : stopReason.trim();
  return {
    intercepted: false,
    stop_reason: reason,
    stop_description: describeStop(reason),
    request: null,
    schema: schema ?? null,
  };
}

type RawBody = Pick<InterceptionDocument['request'], 'body_raw' | 'body_raw_encoding' | 'body_raw_truncated'>;

function rawBody(bytes: Uint8Array | null): RawBody {
  if (bytes === null) return { body_raw: null, body_raw_encoding: null, body_raw_truncated: false };
  const truncated = bytes.length > MAX_RAW_BYTES;
  const kept = Buffer.from(bytes.subarray(0, MAX_RAW_BYTES));
  const text = utf8(kept, truncated);
  return text === null
    ? { body_raw: kept.toString('base64'), body_raw_encoding: 'base64', body_raw_truncated: truncated }
    : { body_raw: text, body_raw_encoding: 'utf-8', body_raw_truncated: truncated };
}

function utf8(bytes: Uint8Array, cut: boolean): string | null {
  try {
    // `stream` drops a character that the truncation split instead of reporting an error.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}
