import type { PausedHead } from './message-head.ts';

/**
 * What follows the head of a paused request: the body twice (`postData`, text that loses bytes that are not UTF-8, and
 * `postDataEntries`, base64 and exact), then frame and resource type. Only the entries are kept, up to a limit;
 * `postData` is skipped.
 */
export interface PausedRest {
  readonly frameId: string;
  /** Empty when it could not be read: never a type that would make the request passive. */
  readonly resourceType: string;
  readonly body: PausedBody;
}

export interface PausedBody {
  /** Undefined when the request has no body, or CDP does not provide it. */
  readonly bytes?: Uint8Array;
  readonly status: 'none' | 'complete' | 'partial' | 'truncated' | 'unavailable';
}

/** The fields of CDP's `Fetch.requestPaused` that are used here. */
export interface WholePause {
  readonly requestId: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly hasPostData?: boolean;
    readonly postDataEntries?: readonly { readonly bytes?: string }[];
  };
  readonly frameId?: string;
  readonly resourceType?: string;
}

export interface PausedBodyReader {
  push(piece: Buffer): void;
  finish(): PausedRest;
}

/** Cannot occur inside a JSON string, where its quotes are escaped; a header of that name has no array. */
const ENTRIES = Buffer.from('"postDataEntries":[');
const ENTRIES_END = 0x5d;
const ENTRY_BYTES = '"bytes":"';
/** Frame, resource type and priorities have a few hundred bytes; the headers were read before. */
const TAIL_BYTES = 64 * 1024;

/** @param keepBytes decoded body bytes to keep; a longer body has the status `truncated`. */
export function createPausedBodyReader(keepBytes: number): PausedBodyReader {
  const keepBase64 = Math.ceil(keepBytes / 3) * 4 + 64;
  let state: 'seeking' | 'entries' | 'tail' = 'seeking';
  let carry: Buffer = Buffer.alloc(0);
  const entries: Buffer[] = [];
  let entryBytes = 0;
  let cut = false;

  const seek = (piece: Buffer): void => {
    carry = carry.length === 0 ? piece : Buffer.concat([carry, piece]);
    const start = carry.indexOf(ENTRIES);
    if (start === -1) {
      carry = lastBytes(carry, TAIL_BYTES);
      return;
    }
    const rest = carry.subarray(start + ENTRIES.length);
    carry = Buffer.alloc(0);
    state = 'entries';
    takeEntries(rest);
  };

  const takeEntries = (piece: Buffer): void => {
    const end = piece.indexOf(ENTRIES_END);
    const own = end === -1 ? piece : piece.subarray(0, end);
    const room = Math.max(0, keepBase64 - entryBytes);
    cut ||= own.length > room;
    if (room > 0) entries.push(own.subarray(0, room));
    entryBytes += Math.min(own.length, room);
    if (end === -1) return;
    state = 'tail';
    carry = piece.subarray(end + 1);
  };

  return {
    push: (piece) => {
      if (state === 'seeking') return seek(piece);
      if (state === 'entries') return takeEntries(piece);
      carry = lastBytes(Buffer.concat([carry, piece]), TAIL_BYTES);
    },
    finish: () => {
      const tail = parseTail(carry);
      const parts = state === 'seeking' ? undefined : readEntries(Buffer.concat(entries).toString('latin1'));
      // `hasPostData` is in the skipped part; a request with entries has a body.
      const request = { hasPostData: parts !== undefined || tail.request?.hasPostData === true };
      return restOf({ ...tail, request }, parts, { keepBytes, cut });
    },
  };
}

/** The head of a message that was parsed whole. */
export function headOfWhole({ requestId, request: { url, method, headers } }: WholePause): PausedHead {
  return { requestId, url, method, headers };
}

/** The same from a message that was parsed whole. */
export function restOfWhole(pause: WholePause, keepBytes: number): PausedRest {
  return restOf(pause, pause.request.postDataEntries, { keepBytes, cut: false });
}

type Entry = { readonly bytes?: string };
type Tail = {
  readonly frameId?: string;
  readonly resourceType?: string;
  readonly request?: { readonly hasPostData?: boolean };
};

function restOf(
  tail: Tail,
  entries: readonly Entry[] | undefined,
  limit: { keepBytes: number; cut: boolean },
): PausedRest {
  return {
    frameId: tail.frameId ?? '',
    resourceType: tail.resourceType ?? '',
    body: decode(entries, tail.request?.hasPostData === true, limit),
  };
}

function decode(
  entries: readonly Entry[] | undefined,
  hasPostData: boolean,
  limit: { readonly keepBytes: number; readonly cut: boolean },
): PausedBody {
  if (entries === undefined || entries.length === 0) return { status: hasPostData ? 'unavailable' : 'none' };
  const known = entries.flatMap((entry) => (entry.bytes === undefined ? [] : [Buffer.from(entry.bytes, 'base64')]));
  if (known.length === 0) return { status: 'unavailable' };
  const all = known.length === 1 ? (known[0] as Buffer) : Buffer.concat(known);
  if (limit.cut || all.length > limit.keepBytes)
    return { bytes: all.subarray(0, limit.keepBytes), status: 'truncated' };
  return { bytes: all, status: known.length === entries.length ? 'complete' : 'partial' };
}

/** `{"bytes":"…"},{},{"bytes":"…`; the limit may have cut the last entry. */
function readEntries(text: string): Entry[] {
  const pieces = text === '' ? [] : text.split('},{');
  return pieces.map((piece) => {
    const start = piece.indexOf(ENTRY_BYTES);
    if (start === -1) return {};
    const value = piece.slice(start + ENTRY_BYTES.length);
    const end = value.indexOf('"');
    return { bytes: end === -1 ? value : value.slice(0, end) };
  });
}

/** The tail continues the `request` object; when much was skipped before, it is found by its first field. */
function parseTail(bytes: Buffer): Tail {
  const text = bytes.toString('utf8');
  const start = text.startsWith(',') ? 0 : text.lastIndexOf(',"initialPriority":');
  if (start === -1) return {};
  try {
    return (JSON.parse(`{"params":{"request":{"_":0${text.slice(start)}`) as { params: Tail }).params;
  } catch {
    return {};
  }
}

function lastBytes(bytes: Buffer, count: number): Buffer {
  return bytes.length <= count ? bytes : bytes.subarray(bytes.length - count);
}
