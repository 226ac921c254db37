import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { GatewayParts, ModelCall } from './model-call.ts';
import { headerText, type ProviderAnswer } from './provider-call.ts';
import { failureOf } from './provider-failure.ts';
import { recordCall } from './record-call.ts';
import { answerError } from './refuse.ts';

/** A longer error text is cut: its beginning says what went wrong. */
const MAX_ERROR = 64 * 1024;

/**
 * Relays an error with its status, and with every key removed from its text. A redirect is not relayed: the client would
 * follow it past the gateway.
 */
export async function relayError(
  parts: GatewayParts,
  call: ModelCall,
  { response: from, key }: ProviderAnswer,
): Promise<void> {
  const result = failureOf(from.statusCode) ?? 'Server';
  if (from.statusCode < 400) {
    await from.body.dump();
    const message = `the provider answered HTTP ${String(from.statusCode)}; correct base_url in models.yaml`;
    answerError(call.response, { status: 502, type: 'clawbench_provider_redirects', code: 'Server', message });
  } else {
    const body = decompressed(Buffer.from(await from.body.arrayBuffer()), headerText(from.headers['content-encoding']));
    const retryAfter = headerText(from.headers['retry-after']);
    call.response.writeHead(from.statusCode, {
      'content-type': headerText(from.headers['content-type']) || 'application/json',
      ...(retryAfter === '' ? {} : { 'retry-after': retryAfter }),
    });
    call.response.end(parts.redact(body.subarray(0, MAX_ERROR).toString('utf8')));
  }
  recordCall(parts, call, { status: from.statusCode, result, key });
}

/** A compressed error is decompressed, or a key in it would not be seen. One that cannot be read becomes empty. */
function decompressed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === '' || encoding === 'identity') return bytes;
  const decompress = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync, zstd: zstdDecompressSync }[
    encoding
  ];
  try {
    return decompress?.(bytes, { maxOutputLength: 16 * MAX_ERROR }) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
