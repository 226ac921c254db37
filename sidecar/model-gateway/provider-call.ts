import { request, type Dispatcher } from 'undici';
import { isKeyFailure, type CallFailure } from '../../benchmark/models/call-outcome.ts';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import type { KeyRing } from './keys.ts';
import { openAnswer, type OpenedAnswer } from './opened-answer.ts';

/** A provider that thinks before its first byte, without streaming, may take many minutes. */
const HEADERS_TIMEOUT_MS = 900_000;
const BODY_TIMEOUT_MS = 600_000;

export interface ProviderRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: (key: string) => Record<string, string>;
  readonly body: Uint8Array | null;
  /** The body without what the gateway added; null: it added nothing. */
  readonly plainBody: Uint8Array | null;
  /** API type of a call that costs; null: it costs nothing. */
  readonly billed: ApiType | null;
  readonly signal: AbortSignal;
}
export interface ProviderAnswer extends OpenedAnswer {
  /** Index of the key that was used. */
  readonly key: number;
  /** The answer is to the plain body. */
  readonly plain: boolean;
}

export interface ProviderTools {
  readonly keys: KeyRing;
  readonly dispatcher: Dispatcher;
  readonly now: () => number;
  /** A call failed, and the answer to be relayed is another one. */
  readonly onFailure: (failure: CallFailure, status: number) => void;
  /** The provider refuses a field that the gateway adds. */
  readonly onFieldRefused: () => void;
}

/**
 * Asks the provider. After a failure of the key itself, the next key is tried, each at most once, whatever the HTTP
 * status was; a call that is refused for a field of ours is made again without it. Other failures are left to the
 * harness, which has its own retry policy.
 * @returns the last answer. @throws what undici throws when there is no answer.
 */
export async function askProvider(ask: ProviderRequest, tools: ProviderTools): Promise<ProviderAnswer> {
  let plain = ask.plainBody === null;
  for (let tried = 1; ; tried++) {
    const key = tools.keys.next(tools.now());
    const response = await request(ask.url, {
      method: ask.method,
      headers: ask.headers(tools.keys.key(key)),
      body: plain ? (ask.plainBody ?? ask.body) : ask.body,
      signal: ask.signal,
      dispatcher: tools.dispatcher,
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
    });
    const opened = await openAnswer(response, ask.billed, tools.now());
    const answer = { ...opened, key, plain: plain && ask.plainBody !== null };
    const { failure } = opened;
    if (failure === null) return answer;
    if (!plain && refusesOurField(opened)) {
      plain = true;
      tried -= 1;
      tools.onFieldRefused();
      continue;
    }
    tools.keys.failed(key, failure.kind, tools.now(), failure.retryAfterMs);
    if (!isKeyFailure(failure.kind) || tried >= tools.keys.size) return answer;
    tools.onFailure(failure, response.statusCode);
    response.body.destroy();
  }
}

/** How providers name the field by which the usage of a stream is asked for. */
function refusesOurField({ failure, errorText }: OpenedAnswer): boolean {
  return failure?.kind === 'Request' && /stream_options|include_usage/.test(errorText ?? failure.message);
}
