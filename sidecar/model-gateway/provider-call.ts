import { request, type Dispatcher } from 'undici';
import type { ProviderFailure } from '../../benchmark/protocol/model-gateway.ts';
import { failureOf, isKeyFailure } from './provider-failure.ts';
import type { KeyRing } from './keys.ts';

/** A provider that thinks before its first byte, without streaming, may take many minutes. */
const HEADERS_TIMEOUT_MS = 900_000;
const BODY_TIMEOUT_MS = 600_000;

export interface ProviderRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: (key: string) => Record<string, string>;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
}
export interface ProviderAnswer {
  readonly response: Dispatcher.ResponseData;
  /** Index of the key that was used. */
  readonly key: number;
}

export interface ProviderTools {
  readonly keys: KeyRing;
  readonly dispatcher: Dispatcher;
  readonly now: () => number;
  readonly onFailure: (kind: ProviderFailure, status: number) => void;
}

/**
 * Asks the provider. After a failure of the key itself, the next key is tried, each at most once. Other failures are
 * left to the harness, which has its own retry policy.
 * @returns the last answer, whatever its status. @throws what undici throws when there is no answer.
 */
export async function askProvider(ask: ProviderRequest, tools: ProviderTools): Promise<ProviderAnswer> {
  for (let tried = 1; ; tried++) {
    const key = tools.keys.next(tools.now());
    const response = await request(ask.url, {
      method: ask.method,
      headers: ask.headers(tools.keys.key(key)),
      body: ask.body,
      signal: ask.signal,
      dispatcher: tools.dispatcher,
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
    });
    const failure = failureOf(response.statusCode);
    if (failure === null) return { response, key };
    tools.onFailure(failure, response.statusCode);
    tools.keys.failed(key, failure, tools.now(), retryAfterMs(response.headers['retry-after']));
    if (!isKeyFailure(failure) || tried >= tools.keys.size) return { response, key };
    await response.body.dump();
  }
}

function retryAfterMs(header: string | string[] | undefined): number | null {
  const seconds = Number(headerText(header));
  return header === undefined || !Number.isFinite(seconds) ? null : seconds * 1000;
}

/** The first value of a header; empty when it is absent. */
export function headerText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
