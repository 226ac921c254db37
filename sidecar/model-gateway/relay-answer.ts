import { copyThrough } from './copy-through.ts';
import type { GatewayParts, ModelCall } from './model-call.ts';
import { headerText, type ProviderAnswer } from './provider-call.ts';
import { recordBill, recordCall, recordFailure } from './record-call.ts';
import { usageTap } from './usage-tap.ts';
import { withoutUsageChunk } from './without-usage-chunk.ts';

/** Headers that belong to the connection with the provider, or to its cookies. */
const NOT_RELAYED = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'content-length',
  'trailer',
]);

/** Streams a success to the harness as it arrives, and reads its usage on the way. */
export async function relayAnswer(
  parts: GatewayParts,
  call: ModelCall,
  { response: from, key }: ProviderAnswer,
): Promise<void> {
  const type = headerText(from.headers['content-type']);
  const encoding = headerText(from.headers['content-encoding']);
  call.response.writeHead(from.statusCode, relayedHeaders(from.headers));
  call.response.flushHeaders();
  const { billed } = call.endpoint;
  const tap = billed === null ? null : usageTap(billed, type, encoding);
  const strip = call.body.usageAsked && type.includes('event-stream') && encoding === '';
  const { cut, firstByteAt } = await copyThrough({
    from: from.body,
    to: call.response,
    through: strip ? withoutUsageChunk() : null,
    onChunk: (chunk) => tap?.write(chunk),
    signal: call.gone.signal,
    now: parts.now,
  });
  const result = cut ? recordCut(parts, call, from.statusCode) : 'Ok';
  const bill = tap === null ? null : recordBill(parts, call, await tap.end(), { cut, success: result !== 'Network' });
  const firstByteMs = firstByteAt === null ? null : firstByteAt - call.started;
  recordCall(parts, call, { status: from.statusCode, result, key, firstByteMs, bill });
}

/** @returns which side ended the answer early. */
function recordCut(parts: GatewayParts, call: ModelCall, status: number): 'ClientGone' | 'Network' {
  if (call.gone.signal.aborted) return 'ClientGone';
  recordFailure(parts, call, 'Network', status);
  return 'Network';
}

function relayedHeaders(headers: ProviderAnswer['response']['headers']): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name, value]) => !NOT_RELAYED.has(name) && value !== undefined);
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}
