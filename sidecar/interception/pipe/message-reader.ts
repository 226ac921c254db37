import {
  createPausedBodyReader,
  headOfWhole,
  restOfWhole,
  type PausedBodyReader,
  type PausedRest,
  type WholePause,
} from './paused-body.ts';
import { scanHead, type PausedHead } from './message-head.ts';

/**
 * Splits Chromium's pipe at its NUL bytes. A message that arrives in one piece is parsed whole. A paused request that
 * arrives in several pieces is reported twice: its head as soon as it can be read, and then the rest, with at most the
 * body bytes that the handler of the head asked for. So memory stays bounded whatever a page uploads.
 */
export interface MessageSink {
  /** A complete message that is not a paused request: replies and other events. */
  message(message: Record<string, unknown>): void;
  /** The reply to a command that has an empty result: half of all messages, reported without parsing. */
  acknowledged(id: number): void;
  /** Decides about the request now. @returns how many body bytes to keep. */
  pausedHead(head: PausedHead): number;
  pausedRest(head: PausedHead, rest: PausedRest): void;
}

/** Chromium does not write messages like this one. */
export class UnreadablePipe extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'UnreadablePipe';
  }
}

/** Replies to our commands are small; Chromium sends no longer message that is not a pause. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** A longer head is scanned again only when twice as much has arrived, because each scan begins at the start. */
const LONG_HEAD_BYTES = 256 * 1024;

/**
 * @returns a function that takes the stream's chunks in order, keeps them, and returns whether it is within a message.
 * @throws UnreadablePipe from that function: the message is not JSON, or has no end.
 */
export function createMessageReader(sink: MessageSink): (chunk: Buffer) => boolean {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let headless = false;
  let nextScan = 0;
  let paused: { readonly head: PausedHead; readonly body: PausedBodyReader } | null = null;

  const reset = (): void => {
    held = [];
    heldBytes = 0;
    headless = false;
    nextScan = 0;
    paused = null;
  };

  const hold = (piece: Buffer): void => {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes > MAX_MESSAGE_BYTES) throw new UnreadablePipe(`a message is longer than ${MAX_MESSAGE_BYTES} bytes`);
  };

  const partial = (piece: Buffer): void => {
    if (paused !== null) return paused.body.push(piece);
    hold(piece);
    if (headless || heldBytes < nextScan) return;
    const bytes = Buffer.concat(held);
    held = [bytes];
    const scan = scanHead(bytes);
    headless = scan.kind === 'other';
    if (heldBytes > LONG_HEAD_BYTES) nextScan = 2 * heldBytes;
    if (scan.kind !== 'head') return;
    const body = createPausedBodyReader(sink.pausedHead(scan.head));
    body.push(bytes.subarray(scan.end));
    paused = { head: scan.head, body };
    held = [];
  };

  const complete = (piece: Buffer): void => {
    if (paused !== null) {
      const { head, body } = paused;
      body.push(piece);
      reset();
      sink.pausedRest(head, body.finish());
      return;
    }
    if (heldBytes === 0) {
      const id = acknowledgedId(piece);
      if (id !== null) return sink.acknowledged(id);
    }
    hold(piece);
    const text = (held.length === 1 ? piece : Buffer.concat(held)).toString('utf8');
    reset();
    if (text !== '') whole(parse(text), sink);
  };

  return (chunk) => {
    let from = 0;
    for (let nul = chunk.indexOf(0); nul !== -1; nul = chunk.indexOf(0, from)) {
      complete(chunk.subarray(from, nul));
      from = nul + 1;
    }
    if (from < chunk.length) partial(chunk.subarray(from));
    return from < chunk.length;
  };
}

const ACK_START = Buffer.from('{"id":');
const ACK_END = Buffer.from(',"result":{}}');
const MAX_ID_DIGITS = 15;
const ZERO = 0x30;

/** The id of `{"id":7,"result":{}}`; null for any other message, which must be parsed. */
export function acknowledgedId(message: Buffer): number | null {
  const end = message.length - ACK_END.length;
  if (end <= ACK_START.length || end > ACK_START.length + MAX_ID_DIGITS) return null;
  let id = 0;
  for (let at = 0; at < message.length; at += 1) {
    const byte = message[at] as number;
    if (at < ACK_START.length || at >= end) {
      if (byte !== (at < end ? ACK_START[at] : ACK_END[at - end])) return null;
    } else if (byte < ZERO || byte > ZERO + 9) return null;
    else id = id * 10 + byte - ZERO;
  }
  return id;
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UnreadablePipe('a message is not JSON');
  }
}

function whole(message: Record<string, unknown>, sink: MessageSink): void {
  if (message['method'] !== 'Fetch.requestPaused') return sink.message(message);
  const params = message['params'] as WholePause;
  const head = headOfWhole(params);
  const keep = sink.pausedHead(head);
  sink.pausedRest(head, restOfWhole(params, keep));
}
