import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderFailure } from './provider-failure.ts';
import { callOutcome, retryAfterMs, type ReadAnswer } from './call-outcome.ts';
import type { ApiType } from './models-file.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const outcome = (apiType: ApiType, status: number, answer: ReadAnswer): ProviderFailure | 'Ok' => {
  const came = callOutcome(apiType, { status, headers: {} }, answer, NOW);
  return came.ok ? 'Ok' : came.kind;
};
const ofJson = (apiType: ApiType, status: number, json: unknown): ProviderFailure | 'Ok' =>
  outcome(apiType, status, { json });

type JsonRow = readonly [what: string, status: number, json: unknown, right: ProviderFailure | 'Ok'];

const CHAT: readonly JsonRow[] = [
  ['an answer', 200, { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }, 'Ok'],
  ['an answer with error: null', 200, { error: null, choices: [{ message: { content: '' } }] }, 'Ok'],
  ['an answer that is cut', 200, { choices: [{ message: { content: 'h' }, finish_reason: 'length' }] }, 'Ok'],
  ['no choices', 200, { choices: [] }, 'Server'],
  ['another API', 200, { content: [{ type: 'text', text: 'hi' }] }, 'Server'],
  ['no JSON', 200, undefined, 'Server'],
  // OpenAI
  [
    'OpenAI: wrong key',
    401,
    { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
    'Auth',
  ],
  [
    'OpenAI: no credit',
    429,
    { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
    'Credit',
  ],
  [
    'OpenAI: billing limit',
    400,
    { error: { type: 'invalid_request_error', code: 'billing_hard_limit_reached' } },
    'Credit',
  ],
  ['OpenAI: too fast', 429, { error: { type: 'requests', code: 'rate_limit_exceeded' } }, 'RateLimit'],
  ['OpenAI: its server', 500, { error: { type: 'server_error', code: null } }, 'Server'],
  ['OpenAI: too long', 400, { error: { type: 'invalid_request_error', code: 'context_length_exceeded' } }, 'Request'],
  ['OpenAI: no such model', 404, { error: { type: 'invalid_request_error', code: 'model_not_found' } }, 'Request'],
  ['OpenAI: account closed', 403, { error: { code: 'account_deactivated' } }, 'Auth'],
  // OpenRouter
  ['OpenRouter: 200 with a 502', 200, { error: { code: 502, message: 'Provider returned error' } }, 'Server'],
  [
    'OpenRouter: 200 with a 429',
    200,
    { error: { code: 429, message: 'Provider returned error', metadata: { provider_name: 'x' } } },
    'RateLimit',
  ],
  ['OpenRouter: 200 with a 402', 200, { error: { code: 402, message: 'Insufficient credits' } }, 'Credit'],
  [
    'OpenRouter: moderation',
    403,
    { error: { code: 403, message: 'flagged', metadata: { reasons: ['violence'] } } },
    'Request',
  ],
  [
    'OpenRouter: an error in the choice',
    200,
    { choices: [{ error: { code: 503, message: 'down' }, finish_reason: 'error' }] },
    'Server',
  ],
  [
    'OpenRouter: finish reason error',
    200,
    { choices: [{ message: { content: 'half' }, finish_reason: 'error' }] },
    'Server',
  ],
  // Azure
  [
    'Azure: wrong key',
    401,
    { error: { code: '401', message: 'Access denied due to invalid subscription key' } },
    'Auth',
  ],
  ['Azure: its own form', 401, { statusCode: 401, message: 'Unauthorized' }, 'Auth'],
  [
    'Azure: too fast',
    429,
    { error: { code: '429', message: 'Requests have exceeded the call rate limit' } },
    'RateLimit',
  ],
  [
    'Azure: content filter',
    400,
    { error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
    'Request',
  ],
  ['Azure: no deployment', 404, { error: { code: 'DeploymentNotFound' } }, 'Request'],
  // LiteLLM
  [
    'LiteLLM: too fast',
    429,
    { error: { message: 'litellm.RateLimitError: slow down', type: null, param: null, code: '429' } },
    'RateLimit',
  ],
  [
    'LiteLLM: budget',
    400,
    { error: { message: 'Budget has been exceeded! Current cost: 1.2', type: 'budget_exceeded', code: '400' } },
    'Credit',
  ],
  [
    'LiteLLM: the account behind it',
    400,
    {
      error: {
        message: 'litellm.BadRequestError: AnthropicException - Your credit balance is too low to access the API',
        type: 'invalid_request_error',
        code: '400',
      },
    },
    'Credit',
  ],
  [
    'LiteLLM: no deployment',
    429,
    { error: { message: 'No deployments available for selected model', type: 'None', code: '429' } },
    'RateLimit',
  ],
  [
    'LiteLLM: its server',
    500,
    { error: { message: 'litellm.InternalServerError: x', type: null, code: '500' } },
    'Server',
  ],
  // vLLM, Ollama, Mistral, Moonshot, DeepSeek, xAI, Groq, MiniMax, FastAPI
  [
    'vLLM, older: bad request',
    400,
    { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 },
    'Request',
  ],
  [
    'vLLM, older: 200 with an error',
    200,
    { object: 'error', message: 'x', type: 'InternalServerError', code: 500 },
    'Server',
  ],
  [
    'vLLM, newer: no such model',
    404,
    { error: { message: 'x', type: 'NotFoundError', param: 'model', code: 404 } },
    'Request',
  ],
  ['Ollama: text', 404, { error: "model 'x' not found" }, 'Request'],
  ['Ollama: text, its server', 500, { error: 'llama runner process has terminated' }, 'Server'],
  ['Moonshot: no credit', 429, { error: { type: 'exceeded_current_quota_error', message: 'x' } }, 'Credit'],
  [
    'DeepSeek: no credit',
    402,
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    'Credit',
  ],
  [
    'xAI: spending limit',
    403,
    { code: 'personal-team-blocked:spending-limit', error: 'You have used all available credits' },
    'Credit',
  ],
  ['Groq: tokens a minute', 413, { error: { type: 'tokens', code: 'rate_limit_exceeded' } }, 'RateLimit'],
  [
    'MiniMax: no credit in a 200',
    200,
    { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    'Credit',
  ],
  ['MiniMax: success', 200, { base_resp: { status_code: 0 }, choices: [{ message: { content: 'x' } }] }, 'Ok'],
  ['FastAPI', 403, { detail: 'Not authenticated' }, 'Auth'],
  // What the words do not tell, the status does.
  ['a bad request that is a 401', 401, { error: { type: 'invalid_request_error', message: 'x' } }, 'Auth'],
  ['a bad request that is a 503', 503, { error: { type: 'invalid_request_error', message: 'x' } }, 'Server'],
  ['HTML of a proxy', 502, undefined, 'Server'],
  ['HTML of a CDN', 524, undefined, 'Server'],
  ['overloaded', 529, undefined, 'Server'],
  ['a time-out', 408, undefined, 'Timeout'],
  ['a redirect', 302, undefined, 'Server'],
  // The provider quotes the prompt: a page must not decide whose fault an error is.
  [
    'a prompt that talks of credit',
    400,
    { error: { type: 'invalid_request_error', message: "Invalid value: 'Your credit balance is too low'" } },
    'Request',
  ],
];

const MESSAGES: readonly JsonRow[] = [
  ['an answer', 200, { type: 'message', content: [] }, 'Ok'],
  [
    'no credit',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
    },
    'Credit',
  ],
  ['no credit, named', 402, { type: 'error', error: { type: 'billing_error', message: 'x' } }, 'Credit'],
  ['wrong key', 401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }, 'Auth'],
  ['no right', 403, { type: 'error', error: { type: 'permission_error', message: 'x' } }, 'Auth'],
  ['too fast', 429, { type: 'error', error: { type: 'rate_limit_error', message: 'x' } }, 'RateLimit'],
  ['overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'Server'],
  ['overloaded in a 200', 200, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'Server'],
  ['its server', 500, { type: 'error', error: { type: 'api_error', message: 'x' } }, 'Server'],
  ['a time-out', 504, { type: 'error', error: { type: 'timeout_error', message: 'x' } }, 'Timeout'],
  ['too large', 413, { type: 'error', error: { type: 'request_too_large', message: 'x' } }, 'Request'],
  ['Bedrock: throttled', 400, { __type: 'ThrottlingException', message: 'x' }, 'RateLimit'],
];

const RESPONSES: readonly JsonRow[] = [
  ['an answer', 200, { status: 'completed', error: null, output: [] }, 'Ok'],
  [
    'an answer that is cut',
    200,
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] },
    'Ok',
  ],
  ['failed', 200, { status: 'failed', error: { code: 'server_error', message: 'x' }, output: [] }, 'Server'],
  [
    'failed, too fast',
    200,
    { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' }, output: [] },
    'RateLimit',
  ],
  ['failed without a reason', 200, { status: 'failed', output: [] }, 'Server'],
];

const GEMINI: readonly JsonRow[] = [
  ['an answer', 200, { candidates: [{ content: {}, finishReason: 'STOP' }] }, 'Ok'],
  ['a prompt that it blocks', 200, { promptFeedback: { blockReason: 'SAFETY' } }, 'Ok'],
  [
    'wrong key',
    400,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'API key not valid. Please pass a valid API key.',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    },
    'Auth',
  ],
  [
    'too fast',
    429,
    {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'You exceeded your current quota, please check your plan',
      },
    },
    'RateLimit',
  ],
  ['overloaded', 503, { error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }, 'Server'],
  ['too slow', 504, { error: { code: 504, status: 'DEADLINE_EXCEEDED', message: 'x' } }, 'Timeout'],
  [
    'an array that ends in an error',
    200,
    [{ candidates: [{}] }, { error: { code: 503, status: 'UNAVAILABLE' } }],
    'Server',
  ],
  ['no right', 403, { error: { code: 403, status: 'PERMISSION_DENIED', message: 'x' } }, 'Auth'],
  ['a bad request', 400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'x' } }, 'Request'],
];

describe.each([
  ['openai-completions', CHAT],
  ['anthropic-messages', MESSAGES],
  ['openai-responses', RESPONSES],
  ['google-generative-ai', GEMINI],
] as const)('a whole response of %s', (apiType, rows) => {
  it.each(rows)('%s (HTTP %i)', (_what, status, json, right) => {
    expect(ofJson(apiType, status, json)).toBe(right);
  });
});

describe('any JSON', () => {
  it('with an error object and without an answer is a failure of a named kind, and its code is a word', () => {
    const apiTypes = fc.constantFrom<ApiType>(
      'openai-completions',
      'openai-responses',
      'anthropic-messages',
      'google-generative-ai',
    );
    const property = fc.property(
      apiTypes,
      fc.integer({ min: 200, max: 599 }),
      fc.jsonValue(),
      (apiType, status, value) => {
        const came = callOutcome(
          apiType,
          { status, headers: {} },
          { json: { error: { message: value, code: value, type: value } } },
          NOW,
        );
        expect(came.ok).toBe(false);
        if (!came.ok) expect(came.code ?? 'none').toMatch(/^[\w.-]{1,64}$/);
      },
    );
    fc.assert(property);
  });
});

describe('the time that a provider asks for', () => {
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ['3', '9'] }, 3000],
    [{ 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ] as const)('%j is %s ms', (headers, right) => {
    expect(retryAfterMs(headers, NOW)).toBe(right);
  });
});

it('an error code that is neither a number nor a text does not throw', () => {
  const nested: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
  expect(ofJson('openai-completions', 200, nested)).toBe('Server');
  for (const code of [{ toString: 1 }, nested])
    expect(ofJson('openai-completions', 200, { error: { code } })).toBe('Server');
  expect(ofJson('openai-completions', 200, { base_resp: { status_code: { toString: 1 } } })).toBe('Server');
});
