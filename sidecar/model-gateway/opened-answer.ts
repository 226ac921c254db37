import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import { callOutcome, type CallFailure, type ReadAnswer } from '../../benchmark/models/call-outcome.ts';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { decompress } from '../../benchmark/request/content-encoding.ts';
import { createStreamOutcome, looksLikeEventStream, type StreamSoFar } from '../../benchmark/models/stream-outcome.ts';

/** A provider's answer, read as far as it shows whether the call failed at once. */
export interface OpenedAnswer {
  readonly response: Dispatcher.ResponseData;
  /** The whole body, what was read of it first. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Server-sent events, by the content type or, where that says otherwise, by the first bytes. */
  readonly isStream: boolean;
  /** Null: it did not fail so far; a stream can still fail. */
  readonly failure: CallFailure | null;
  /** Text of an HTTP error, decompressed and cut; null: the status is a success. */
  readonly errorText: string | null;
}

/** An error says what went wrong at its beginning. Compressed, it may not grow above the second figure. */
const MAX_ERROR = 256 * 1024;
const MAX_ERROR_TEXT = 1024 * 1024;
/** A JSON answer below this is read before it is relayed, so that an error in a 200 can be told. */
const MAX_JSON = 4 * 1024 * 1024;
/** A stream is held until its first event, or this much without one. */
const MAX_BEFORE_EVENT = 64 * 1024;

/**
 * Reads the beginning of an answer: all of an error, all of a small JSON answer, the first event of a stream. Providers
 * answer 200 and then say that they are overloaded or that the key is out of credit; until the first event is relayed
 * the call can still be made with another key.
 * @param billed the API type of a call that costs; null: lists and counts, which are relayed as they are.
 */
export async function openAnswer(
  response: Dispatcher.ResponseData,
  billed: ApiType | null,
  now: number,
): Promise<OpenedAnswer> {
  const { statusCode: status, headers } = response;
  const failureIn = (answer: ReadAnswer): CallFailure | null => {
    const outcome = callOutcome(billed ?? 'openai-completions', { status, headers }, answer, now);
    return outcome.ok ? null : outcome;
  };
  if (status < 200 || status > 299) return openError(response, failureIn);
  const declared = isEventStream(headerText(headers['content-type']));
  if (billed === null || !isPlain(contentEncoding(response)))
    return { response, body: response.body, isStream: declared, failure: null, errorText: null };
  const { read, rest } = await readBeginning(response.body, (bytes) => bytes.length > 0, MAX_BEFORE_EVENT);
  const whole = joined(read, rest);
  const isStream = declared || looksLikeEventStream(Buffer.concat(read).subarray(0, 64).toString('utf8'));
  const { body, answer } = isStream ? await openStream(whole, billed, status) : await openJson(whole);
  return { response, body, isStream, failure: answer === null ? null : failureIn(answer), errorText: null };
}

function isEventStream(contentType: string): boolean {
  return contentType.toLowerCase().includes('text/event-stream');
}

/** Reads a stream up to its first event. One that only began is neither finished nor failed: its answer is null. */
async function openStream(
  from: AsyncIterable<Uint8Array>,
  apiType: ApiType,
  status: number,
): Promise<Pick<OpenedAnswer, 'body'> & { answer: ReadAnswer | null }> {
  const { read, rest } = await readBeginning(from, hasEvent, MAX_BEFORE_EVENT);
  const stream = firstEvents(apiType, status, Buffer.concat(read).toString('utf8'));
  if (stream.error === null) return { body: joined(read, rest), answer: null };
  // What follows an error says nothing more, and a provider may keep the stream open.
  await rest?.return?.();
  return { body: joined(read, null), answer: { stream } };
}

/** Reads a JSON answer to its end, unless it is large. */
async function openJson(
  from: AsyncIterable<Uint8Array>,
): Promise<Pick<OpenedAnswer, 'body'> & { answer: ReadAnswer | null }> {
  const { read, rest } = await readBeginning(from, null, MAX_JSON);
  const answer = rest === null ? { json: parsed(Buffer.concat(read).toString('utf8')) } : null;
  return { body: joined(read, rest), answer };
}

function contentEncoding({ headers }: Dispatcher.ResponseData): string {
  return headerText(headers['content-encoding']).trim().toLowerCase();
}

function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** Whether some block of the stream is whole. */
function hasEvent(bytes: Buffer): boolean {
  return bytes.includes('\n\n') || bytes.includes('\r\n\r\n') || bytes.includes('\r\r');
}

function firstEvents(apiType: ApiType, status: number, text: string): StreamSoFar {
  const stream = createStreamOutcome(apiType, status);
  const parser = createParser({
    onEvent: ({ data, event }) => {
      stream.push(data, event);
    },
  });
  parser.feed(text);
  return stream.soFar;
}

async function openError(
  response: Dispatcher.ResponseData,
  failureIn: (answer: ReadAnswer) => CallFailure | null,
): Promise<OpenedAnswer> {
  const { read } = await readBeginning(response.body, null, MAX_ERROR);
  response.body.destroy();
  const errorText = decompressed(Buffer.concat(read), contentEncoding(response)).toString('utf8');
  return {
    response,
    body: joined([], null),
    isStream: false,
    failure: failureIn({ json: parsed(errorText) }),
    errorText,
  };
}

/** @returns the rest of the body; null: there is none, all was read. */
async function readBeginning(
  body: AsyncIterable<Uint8Array>,
  enough: ((read: Buffer) => boolean) | null,
  limit: number,
): Promise<{ read: Uint8Array[]; rest: AsyncIterator<Uint8Array> | null }> {
  const rest = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let size = 0;
  while (size <= limit) {
    const next = await rest.next();
    if (next.done === true) return { read, rest: null };
    read.push(next.value);
    size += next.value.length;
    if (enough?.(Buffer.concat(read)) === true) break;
  }
  return { read, rest };
}

async function* joined(
  read: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  yield* read;
  if (rest === null) return;
  try {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** A compressed error is decompressed, or a key in it would not be seen. One that cannot be read becomes empty. */
function decompressed(bytes: Buffer, encoding: string): Buffer {
  const { bytes: plain, cut } = decompress(bytes, encoding, MAX_ERROR_TEXT);
  return cut ? Buffer.alloc(0) : Buffer.from(plain);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The first value of a header; empty when it is absent. */
export function headerText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
