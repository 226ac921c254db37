import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import {
  REFUSALS,
  type GatewayCaps,
  type GatewayState,
  type ProviderFailure,
} from '../../benchmark/protocol/model-gateway.ts';
import type { Redactor } from '../../benchmark/bundle/redact.ts';
import { isLocalProgram } from '../local-caller.ts';
import type { CallFiles } from './call-files.ts';
import { callsInTurn } from './caps.ts';
import { copyThrough } from './copy-through.ts';
import { endpointOf, modelInPath, type Endpoint } from './endpoint.ts';
import { failureOf, failureOfError } from './provider-failure.ts';
import type { KeyRing } from './keys.ts';
import type { Bill, CallRow, EndedCall, Ledger } from './ledger.ts';
import { outgoingBody, outgoingHeaders, outgoingQuery, type OutgoingBody } from './outgoing-request.ts';
import { askProvider, type ProviderAnswer } from './provider-call.ts';
import { answerError, refuse } from './refuse.ts';
import { usageTap, type TapResult } from './usage-tap.ts';
import { withoutUsageChunk } from './without-usage-chunk.ts';

export interface ForwardParts {
  readonly model: ModelEntry;
  readonly caps: GatewayCaps;
  readonly keys: KeyRing;
  readonly ledger: Ledger;
  readonly files: CallFiles;
  readonly dispatcher: Dispatcher;
  /** Takes keys out of a provider's error text. */
  readonly redact: Redactor;
  readonly log: Logger;
  readonly now: () => number;
}

/** Screenshots in a prompt are megabytes; nothing an agent sends is a hundred. */
const MAX_BODY = 96 * 1024 * 1024;
/** An error text above this is cut: what it says stands at its beginning. */
const MAX_ERROR = 64 * 1024;
const KEPT_BACK = new Set(['connection', 'keep-alive', 'transfer-encoding', 'set-cookie', 'content-length', 'trailer']);

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly body: OutgoingBody;
  readonly started: number;
  readonly gone: AbortController;
}

/** Carries requests of the harness to the provider. One function per gateway, since calls may have to wait in turn. */
export function forwarder(parts: ForwardParts): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async (request, response) => {
    const call = await readCall(parts, request, response);
    if (call === null) return;
    if (call.endpoint.billed === null || !callsInTurn(parts.caps)) return carry(parts, call);
    const before = last;
    const mine = before.then(() => carry(parts, call));
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function readCall(parts: ForwardParts, request: IncomingMessage, response: ServerResponse): Promise<Call | null> {
  const base = new URL(parts.model.baseUrl);
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2);
  const endpoint = endpointOf(request.method ?? 'GET', path, base.pathname.replace(/\/+$/, ''));
  const refused = (reason: 'EndpointNotAllowed' | 'BodyTooLarge', message: string): null => {
    parts.ledger.refused(reason);
    refuse(response, reason, message);
    return null;
  };
  if (endpoint === null || !isLocalProgram(request.headers))
    return refused('EndpointNotAllowed', 'only model calls pass here');
  const bytes = await readBody(request);
  if (bytes === null) return refused('BodyTooLarge', 'the request is larger than 96 MiB');
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const url = `${base.origin}${path}${outgoingQuery(search)}`;
  const outgoing = outgoingBody(bytes, endpoint.billed);
  const body = { ...outgoing, model: modelInPath(path) ?? outgoing.model };
  return { request, response, url, path, endpoint, body, started: parts.now(), gone };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function carry(parts: ForwardParts, call: Call): Promise<void> {
  const { ledger } = parts;
  if (call.gone.signal.aborted) return;
  const billed = call.endpoint.billed !== null;
  const reached = billed ? ledger.open() : null;
  if (reached !== null) {
    ledger.refused(reached.reason);
    refuse(call.response, reached.reason, reached.message);
    note(parts, call, { status: 402, result: reached.reason });
    return;
  }
  if (billed) parts.files.begun(ledger.state);
  try {
    await answer(parts, call);
  } finally {
    if (billed) ledger.close();
  }
}

async function answer(parts: ForwardParts, call: Call): Promise<void> {
  const { model } = parts;
  let answered = false;
  try {
    const got = await askProvider(
      {
        url: call.url,
        method: call.request.method ?? 'GET',
        headers: (key) => outgoingHeaders(call.request.headers, call.endpoint.billed, model.apiType, key),
        body: call.request.method === 'GET' ? null : call.body.bytes,
        signal: call.gone.signal,
      },
      {
        ...parts,
        onFailure: (kind, status) => {
          failed(parts, call, kind, status);
        },
      },
    );
    answered = true;
    if (failureOf(got.response.statusCode) === null) await passOn(parts, call, got);
    else await passError(parts, call, got);
  } catch (error) {
    if (call.gone.signal.aborted) {
      // The provider was at work on it, and bills that: a client must not escape its caps by hanging up.
      const bill = answered || call.endpoint.billed === null ? null : settle(parts, call, NOTHING_TOLD, LEFT);
      note(parts, call, { status: 0, result: 'ClientGone', bill });
      return;
    }
    const kind = failureOfError(error);
    failed(parts, call, kind, 0);
    parts.log.warn({ kind, endpoint: call.path }, 'the model provider did not answer');
    const message = kind === 'Timeout' ? 'the provider did not answer in time' : 'the provider cannot be reached';
    answerError(call.response, { status: 502, type: 'clawbench_provider_unreachable', code: kind, message });
    note(parts, call, { status: 502, result: kind });
  }
}

/** What costs nothing says nothing of the model: a provider may well have no list of its models. */
function failed(parts: ForwardParts, call: Call, kind: ProviderFailure, status: number): void {
  if (call.endpoint.billed !== null) parts.ledger.failed(kind, status, parts.now());
}

/** Streams a success through as it comes, and reads its bill on the way. */
async function passOn(parts: ForwardParts, call: Call, got: ProviderAnswer): Promise<void> {
  const { response: from, key } = got;
  const answered = { type: text(from.headers['content-type']), encoding: text(from.headers['content-encoding']) };
  call.response.writeHead(from.statusCode, kept(from.headers));
  call.response.flushHeaders();
  const { billed } = call.endpoint;
  const tap = billed === null ? null : usageTap(billed, answered.type, answered.encoding);
  const strip = call.body.usageAsked && answered.type.includes('event-stream') && answered.encoding === '';
  const { cut, firstByteAt } = await copyThrough({
    from: from.body,
    to: call.response,
    through: strip ? withoutUsageChunk() : null,
    onChunk: (chunk) => tap?.write(chunk),
    signal: call.gone.signal,
    now: parts.now,
  });
  const result = cut ? brokenBy(parts, call, from.statusCode) : 'Ok';
  const bill = tap === null ? null : settle(parts, call, await tap.end(), { cut, success: result !== 'Network' });
  const firstByteMs = firstByteAt === null ? null : firstByteAt - call.started;
  note(parts, call, { status: from.statusCode, result, key, firstByteMs, bill });
}

function brokenBy(parts: ForwardParts, call: Call, status: number): 'ClientGone' | 'Network' {
  if (call.gone.signal.aborted) return 'ClientGone';
  failed(parts, call, 'Network', status);
  return 'Network';
}

type Ending = Pick<EndedCall, 'cut' | 'success'>;
const NOTHING_TOLD: TapResult = { call: null, characters: 0 };
/** By the client, before the first word. */
const LEFT: Ending = { cut: true, success: false };

function settle(parts: ForwardParts, call: Call, told: TapResult, ending: Ending): Bill {
  return parts.ledger.ended({
    model: call.body.model,
    told: told.call,
    ...ending,
    promptCharacters: call.body.characters,
    answerCharacters: told.characters,
    at: parts.now(),
  });
}

/** An error goes on with its status, and with every key taken out of its text. A redirect would lead past the gateway. */
async function passError(parts: ForwardParts, call: Call, { response: from, key }: ProviderAnswer): Promise<void> {
  const result = failureOf(from.statusCode) ?? 'Server';
  if (from.statusCode < 400) {
    await from.body.dump();
    const message = `the provider answered HTTP ${String(from.statusCode)}; correct base_url in models.yaml`;
    answerError(call.response, { status: 502, type: 'clawbench_provider_redirects', code: 'Server', message });
  } else {
    const body = unpacked(Buffer.from(await from.body.arrayBuffer()), text(from.headers['content-encoding']));
    const retryAfter = text(from.headers['retry-after']);
    call.response.writeHead(from.statusCode, {
      'content-type': text(from.headers['content-type']) || 'application/json',
      ...(retryAfter === '' ? {} : { 'retry-after': retryAfter }),
    });
    call.response.end(parts.redact(body.subarray(0, MAX_ERROR).toString('utf8')));
  }
  note(parts, call, { status: from.statusCode, result, key });
}

/** A packed error is unpacked, or a key in it would pass unseen; what cannot be read goes on as nothing. */
function unpacked(bytes: Buffer, encoding: string): Buffer {
  if (encoding === '' || encoding === 'identity') return bytes;
  const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync, zstd: zstdDecompressSync }[
    encoding
  ];
  try {
    return unpack?.(bytes, { maxOutputLength: 16 * MAX_ERROR }) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

function kept(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name, value]) => !KEPT_BACK.has(name) && value !== undefined);
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}

function text(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

interface Noted {
  readonly status: number;
  readonly result: CallRow['result'];
  readonly key?: number;
  readonly firstByteMs?: number | null;
  readonly bill?: Bill | null;
}
const NO_BILL = { source: 'None', usage: { total_tokens: 0 }, costUSD: null, row: null } as const;

function note(parts: ForwardParts, call: Call, noted: Noted): void {
  const { status, result, key = null, firstByteMs = null } = noted;
  const bill = noted.bill ?? NO_BILL;
  const row: CallRow = {
    at: new Date(call.started).toISOString(),
    endpoint: call.path,
    model: call.body.model,
    status,
    durationMs: parts.now() - call.started,
    firstByteMs,
    key,
    usage: bill.source,
    tokens: bill.usage.total_tokens,
    costUSD: bill.costUSD,
    result,
  };
  parts.files.write(row, bill.row, stateAfter(parts, call, result));
}

/** Written at the call's end, so this call is in flight no more; a refused one never was. */
function stateAfter({ ledger }: ForwardParts, call: Call, result: CallRow['result']): GatewayState {
  const { state } = ledger;
  const wasOpen = call.endpoint.billed !== null && !(REFUSALS as readonly string[]).includes(result);
  return wasOpen ? { ...state, inFlight: state.inFlight - 1 } : state;
}
