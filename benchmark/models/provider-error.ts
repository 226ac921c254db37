import type { ProviderFailure } from './provider-failure.ts';
import { isObject } from '../text/json.ts';

/**
 * The error in a provider's JSON, whatever the HTTP status. Providers send 200 with an error in the body, 400 for an empty
 * account, and 429 for a missing payment, so the status is only used last.
 */
export interface ProviderErrorBody {
  readonly kind: ProviderFailure;
  /** The provider's error code, such as `overloaded_error`; at most 64 word characters. Null: none. */
  readonly code: string | null;
  /** The provider's text. It may quote the request: never log it and never show it without redaction. */
  readonly message: string;
}

/** The parts of an error object that can identify the kind of error. */
interface Signals {
  readonly codes: readonly string[];
  readonly message: string;
  readonly statuses: readonly number[];
  /** A moderation service refused the prompt; some providers use 403 for that. */
  readonly moderated: boolean;
}

/**
 * Reads the error from one JSON value: a whole response or one event of a stream.
 * @param status HTTP status of the response.
 * @returns null when the value contains no error.
 */
export function providerError(value: unknown, status: number): ProviderErrorBody | null {
  const signals = signalsOf(value, status);
  if (signals === null) return null;
  const code = signals.codes.find((word) => /^[\w.-]{1,64}$/.test(word) && !/^\d+$/.test(word)) ?? null;
  return { kind: kindOf(signals, status), code, message: signals.message };
}

/** The kind of failure for an HTTP status without a readable error; null for a success. */
export function failureOfStatus(status: number): ProviderFailure | null {
  if (status >= 200 && status < 300) return null;
  const special = BY_STATUS[status];
  if (special !== undefined) return special;
  return status >= 400 && status < 500 ? 'Request' : 'Server';
}

const BY_STATUS: Readonly<Partial<Record<number, ProviderFailure>>> = {
  401: 'Auth',
  402: 'Credit',
  403: 'Auth',
  408: 'Timeout',
  409: 'Server',
  425: 'Server',
  429: 'RateLimit',
  504: 'Timeout',
};

/**
 * Where providers put an error: `{"error": {…}}` (OpenAI, Anthropic, Gemini, OpenRouter, Azure, LiteLLM, vLLM),
 * `{"error": "text"}` (Ollama), `{"object": "error", …}` (older vLLM, Mistral), `{"type": "error", …}` (events of the
 * Responses API), `response.error` (its `response.failed`), `choices[].error` (OpenRouter), `base_resp` (MiniMax), and
 * a sole `message` or `detail` with an HTTP error status.
 */
function signalsOf(value: unknown, status: number): Signals | null {
  if (Array.isArray(value)) {
    // Gemini sends a stream without SSE as one array.
    const found = (value as unknown[]).filter(isObject).map((one) => signalsOf(one, status));
    return found.find((one) => one !== null) ?? null;
  }
  if (!isObject(value)) return null;
  const stated = statedError(value);
  if (stated !== null) return stated;
  if (status < 400) return null;
  return fromObject(value, []);
}

function statedError(value: Record<string, unknown>): Signals | null {
  const { error } = value;
  if (isObject(error) && Object.keys(error).length > 0) {
    return fromObject(error, words(value['code'], value['type']));
  }
  if (typeof error === 'string' && error !== '') return fromObject({ ...value, message: error }, []);
  if (value['object'] === 'error' || value['type'] === 'error') return fromObject(value, []);
  return fromResponsesApi(value) ?? fromChoices(value['choices']) ?? fromBaseResp(value['base_resp']);
}

function fromObject(error: Record<string, unknown>, outer: readonly string[]): Signals {
  const inner = isObject(error['innererror']) ? words(error['innererror']['code']) : [];
  const details = Array.isArray(error['details']) ? (error['details'] as unknown[]) : [];
  const reasons = details.flatMap((detail) => (isObject(detail) ? words(detail['reason']) : []));
  const metadata = isObject(error['metadata']) ? error['metadata'] : {};
  const codes = [
    ...words(error['code'], error['type'], error['status'], error['__type']),
    ...words(metadata['error_type']),
    ...inner,
    ...reasons,
    ...outer,
  ];
  return {
    codes: codes.filter((word) => word !== 'error'),
    message: textOf(error['message']) ?? textOf(error['detail']) ?? textOf(error['msg']) ?? '',
    statuses: [error['code'], error['status'], error['statusCode']].map(numberOf).filter(isHttpError),
    moderated: Array.isArray(metadata['reasons']),
  };
}

/** A response object of the Responses API, complete or inside an event. */
function fromResponsesApi(value: Record<string, unknown>): Signals | null {
  const response = isObject(value['response']) ? value['response'] : value;
  const { status, error } = response;
  if (isObject(error)) return fromObject(error, []);
  return status === 'failed' || status === 'cancelled'
    ? { codes: [], message: '', statuses: [], moderated: false }
    : null;
}

function fromChoices(choices: unknown): Signals | null {
  if (!Array.isArray(choices)) return null;
  for (const choice of choices as unknown[]) {
    if (!isObject(choice)) continue;
    if (isObject(choice['error'])) return fromObject(choice['error'], []);
    if (choice['finish_reason'] === 'error') return { codes: [], message: '', statuses: [], moderated: false };
  }
  return null;
}

/** MiniMax's status codes; 0 is a success. */
const BASE_RESP: Readonly<Partial<Record<number, string>>> = {
  1001: 'timeout',
  1002: 'rate_limit',
  1004: 'authentication',
  1008: 'insufficient_balance',
  1039: 'rate_limit',
  2013: 'invalid_request',
};

function fromBaseResp(value: unknown): Signals | null {
  if (!isObject(value)) return null;
  const code = numberOf(value['status_code'] ?? 0);
  if (code === 0) return null;
  const message = textOf(value['status_msg']) ?? '';
  return { codes: [BASE_RESP[code] ?? 'server_error'], message, statuses: [], moderated: false };
}

/**
 * The words of each kind, as they are spelled without case and punctuation, in the order in which they count: OpenAI
 * says `insufficient_quota` and `rate_limit_exceeded` under one status, and an `invalid_request_error` may be about the
 * key. `Request` is not here: its words are everybody's default and say less than the status.
 */
const BY_CODE: readonly (readonly [ProviderFailure, RegExp])[] = [
  [
    'Credit',
    /insufficient(quota|credit|balance|fund)|billing|paymentrequired|budget(exceeded|limit)|creditbalance|(no|outof)credits|exceededcurrentquota|arrear|spendinglimit/,
  ],
  ['RateLimit', /ratelimit|toomanyrequests|throttl|resourceexhausted|concurrencylimit/],
  [
    'Auth',
    /(invalid|incorrect|missing|expired)(api)?key|apikey(invalid|expired|notfound)|authentication|unauthori[sz]ed|unauthenticated|permission(denied|error)|accessdenied|forbidden|deactivated|notauthorized/,
  ],
  ['Timeout', /time(d)?out|deadlineexceeded/],
  [
    'Server',
    /overloaded|server(error|unavailable)|internal|^apierror$|unavailable|badgateway|upstreamerror|streamerror|enginefailure|capacity/,
  ],
];

/** Messages of errors whose code only says "bad request". They are matched at the start only: an error may quote the prompt. */
const BY_MESSAGE: readonly (readonly [ProviderFailure, RegExp])[] = [
  [
    'Credit',
    /^(your )?credit balance is too low|^you exceeded your current quota|^insufficient (balance|credits?|funds|quota)|^this request requires more credits|^(exceeded)?budget has been exceeded|^payment required|^your account .{0,60}(insufficient balance|arrears|suspended)/,
  ],
  ['RateLimit', /^rate limit|^too many requests|^no deployments available/],
  ['Auth', /^(api key (not valid|expired)|(incorrect|invalid|missing) api key|no (auth|api key))/],
  ['Server', /^(the )?(model|server|engine|service) is (currently )?(overloaded|unavailable|down)|^overloaded/],
];

function kindOf(signals: Signals, status: number): ProviderFailure {
  if (signals.moderated) return 'Request';
  const codes = signals.codes.map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const byCode = BY_CODE.find(([, words]) => codes.some((code) => words.test(code)))?.[0];
  if (byCode !== undefined) return byCode;
  const message = withoutPrefix(signals.message).toLowerCase();
  const byMessage = BY_MESSAGE.find(([, start]) => start.test(message))?.[0];
  if (byMessage !== undefined) return byMessage;
  const stated = signals.statuses[0];
  if (stated !== undefined) return failureOfStatus(stated) ?? 'Server';
  const byStatus = failureOfStatus(status);
  if (byStatus !== null) return byStatus;
  return codes.some((code) => REQUEST.test(code)) ? 'Request' : 'Server';
}

const REQUEST =
  /invalid(request|argument|prompt|image)|badrequest|validation|notfound|context(length|window)|content(filter|policy)|toolarge|unsupported|unprocessable|failedprecondition/;

/** LiteLLM prefixes the provider's message with its own class and the provider's. */
function withoutPrefix(message: string): string {
  return message.replace(/^(litellm\.)?(\w+(Error|Exception)( -)?:? ?-? ?){0,3}/, '').trimStart();
}

function words(...values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string' && value !== '') return [value];
    return typeof value === 'number' ? [String(value)] : [];
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Only of a number or a text: `Number` throws on `{"toString": 1}` and on deeply nested lists. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}

function isHttpError(value: number): boolean {
  return Number.isInteger(value) && value >= 400 && value < 600;
}
