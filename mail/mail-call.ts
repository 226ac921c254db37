import { request } from 'undici';
import { isObject } from '../benchmark/text/json.ts';
import { MailError } from './provider.ts';

export interface MailCall {
  /** Name of the provider for messages: `PurelyMail`. */
  readonly who: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}
export interface MailAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 15_000;
const TRIES = 4;

/**
 * One call of a mail API. Network failures, 429 and 5xx are retried with growing pauses, so that a lost packet does not
 * leave a mailbox behind.
 * @param pauseMs pause before the second try
 * @throws MailError when there is no response below 500
 */
export async function mailCall(call: MailCall, pauseMs = 500): Promise<MailAnswer> {
  for (let tried = 1; ; tried++) {
    const answer = await once(call).catch(() => null);
    if (answer !== null && answer.status < 500 && answer.status !== 429) return answer;
    if (tried === TRIES) {
      const problem = answer === null ? 'could not be reached' : `responded with HTTP ${String(answer.status)}`;
      throw new MailError(`${call.who} ${problem} in ${String(TRIES)} tries`, true);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** (tried - 1)));
  }
}

async function once({ method, url, headers, body }: MailCall): Promise<MailAnswer> {
  const answer = await request(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: parsed(text) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
