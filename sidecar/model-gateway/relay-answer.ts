import { callOutcome } from '../../benchmark/models/call-outcome.ts';
import { copyThrough } from './copy-through.ts';
import type { Bill, CallRow } from './ledger.ts';
import type { GatewayParts, ModelCall } from './model-call.ts';
import { headerText } from './opened-answer.ts';
import type { ProviderAnswer } from './provider-call.ts';
import { recordBill, recordCall, recordFailure } from './record-call.ts';
import { usageTap, type ReportedUsage } from './usage-tap.ts';
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

/** Streams an answer to the harness as it arrives, and reads on the way what it costs and whether it succeeds. */
export async function relayAnswer(parts: GatewayParts, call: ModelCall, answer: ProviderAnswer): Promise<void> {
  const { response: from, key } = answer;
  const encoding = headerText(from.headers['content-encoding']);
  call.response.writeHead(from.statusCode, relayedHeaders(from.headers));
  call.response.flushHeaders();
  const tap = call.endpoint.billed === null ? null : usageTap(call.endpoint.billed, answer.isStream, encoding);
  const strip = hasUsageChunk(call, answer) && answer.isStream && encoding === '';
  const { cut, firstByteAt } = await copyThrough({
    from: answer.body,
    to: call.response,
    through: strip ? withoutUsageChunk() : null,
    onChunk: (chunk) => tap?.write(chunk),
    signal: call.gone.signal,
    now: parts.now,
  });
  const reported = tap === null ? null : await tap.end();
  const result = relayResult(parts, call, answer, { cut, reported });
  const bill = reported === null ? null : billOf(parts, call, reported, { cut, result });
  const firstByteMs = firstByteAt === null ? null : firstByteAt - call.started;
  recordCall(parts, call, { status: from.statusCode, result, key, firstByteMs, bill });
}

/** The answer holds a chunk that is there only because the gateway asked for the usage. */
function hasUsageChunk({ body }: ModelCall, { plain }: ProviderAnswer): boolean {
  return body.usageAsked && !plain;
}

/** How the answer ended; a failure is counted, and the key rests if it is the key's own. */
function relayResult(
  parts: GatewayParts,
  call: ModelCall,
  { response: { statusCode: status, headers }, key }: ProviderAnswer,
  { cut, reported }: { readonly cut: boolean; readonly reported: ReportedUsage | null },
): CallRow['result'] {
  if (cut && call.gone.signal.aborted) return 'ClientGone';
  if (cut) {
    recordFailure(parts, call, 'Network', status);
    return 'Network';
  }
  const { billed } = call.endpoint;
  const answer = reported?.answer ?? null;
  if (billed === null || answer === null) return 'Ok';
  const outcome = callOutcome(billed, { status, headers }, answer, parts.now());
  if (outcome.ok) return 'Ok';
  recordFailure(parts, call, outcome.kind, status);
  parts.keys.failed(key, outcome.kind, parts.now(), outcome.retryAfterMs);
  return outcome.kind;
}

/** A call that failed before its first word costs nothing; one that failed after it is billed and is no success. */
function billOf(
  parts: GatewayParts,
  call: ModelCall,
  reported: ReportedUsage,
  { cut, result }: { readonly cut: boolean; readonly result: CallRow['result'] },
): Bill | null {
  const succeeded = result === 'Ok' || result === 'ClientGone';
  const { answer } = reported;
  const begun = answer === null || !('stream' in answer) || answer.stream.begun;
  if (!succeeded && result !== 'Network' && !begun) return null;
  return recordBill(parts, call, reported, { cut: cut || !succeeded, success: succeeded });
}

function relayedHeaders(headers: ProviderAnswer['response']['headers']): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name, value]) => !NOT_RELAYED.has(name) && value !== undefined);
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}
