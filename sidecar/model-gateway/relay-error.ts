import type { CallFailure } from '../../benchmark/models/call-outcome.ts';
import type { GatewayParts, ModelCall } from './model-call.ts';
import { headerText } from './opened-answer.ts';
import type { ProviderAnswer } from './provider-call.ts';
import { recordCall, recordFailure } from './record-call.ts';
import { answerError } from './refuse.ts';

/** A longer error text is cut: its beginning says what went wrong. */
const MAX_ERROR = 64 * 1024;

/**
 * Relays a failed answer with its status, also where that is 200, and with every key removed from its text. A redirect
 * is not relayed: the client would follow it past the gateway.
 */
export async function relayError(
  parts: GatewayParts,
  call: ModelCall,
  answer: ProviderAnswer,
  failure: CallFailure,
): Promise<void> {
  const { response: from, key } = answer;
  recordFailure(parts, call, failure.kind, from.statusCode);
  if (from.statusCode >= 300 && from.statusCode < 400) {
    const message = `the provider answered HTTP ${String(from.statusCode)}; correct base_url in models.yaml`;
    answerError(call.response, { status: 502, type: 'clawbench_provider_redirects', code: 'Server', message });
  } else {
    const retryAfter = headerText(from.headers['retry-after']);
    const text = answer.errorText ?? (await beginningOf(answer.body));
    call.response.writeHead(from.statusCode, {
      'content-type': headerText(from.headers['content-type']) || 'application/json',
      ...(retryAfter === '' ? {} : { 'retry-after': retryAfter }),
    });
    call.response.end(parts.redact(text).slice(0, MAX_ERROR));
  }
  recordCall(parts, call, { status: from.statusCode, result: failure.kind, key });
}

/** Of an error in a 200; what follows it in a stream says nothing more. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ERROR) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
