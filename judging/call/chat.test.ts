import { afterEach, describe, expect, it } from 'vitest';
import { openChat } from './chat.ts';
import {
  aModel,
  chatAnswer,
  openEndpoint,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  type EndpointCall,
} from './endpoint.fixture.ts';
import { userMessage, type ChatRequest } from './chat-types.ts';

let endpoint: ScriptedEndpoint | undefined;
afterEach(() => endpoint?.close());

async function serve(answer: (seen: EndpointCall, place: number) => ScriptedAnswer): Promise<ScriptedEndpoint> {
  endpoint = await openEndpoint(answer);
  return endpoint;
}

const question: ChatRequest = { system: 's', messages: userMessage('u'), maxTokens: 99 };
const schema = { name: 'verdict', schema: { type: 'object' } };
const failure = (ask: Promise<unknown>): Promise<unknown> => ask.catch((error: unknown) => error);

describe('the API types', () => {
  it('chat completions at temperature 0, with API keys in rotation', async () => {
    const { base, seen } = await serve(() => chatAnswer('hello', 12));
    const ask = openChat(aModel(base));
    expect([(await ask(question)).text, (await ask(question)).usage.total_tokens]).toEqual(['hello', 12]);
    expect(seen.map((one) => one.headers.authorization)).toEqual(['Bearer k1', 'Bearer k2']);
    expect(seen[0]).toMatchObject({
      url: '/v1/chat/completions',
      body: { model: 'jm', temperature: 0, max_tokens: 99 },
    });
  });

  it('responses, with reasoning items in between', async () => {
    const output = [
      { type: 'reasoning', summary: [] },
      { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
    ];
    const { base, seen } = await serve(() => ({ body: { output, usage: { input_tokens: 3, output_tokens: 2 } } }));
    const reply = await openChat(aModel(base, { apiType: 'openai-responses' }))(question);
    expect([reply.text, reply.usage.total_tokens, seen[0]?.url]).toEqual(['hi', 5, '/v1/responses']);
    expect(seen[0]?.body).toEqual({ model: 'jm', instructions: 's', input: 'u', max_output_tokens: 99 });
  });

  it('messages, where a thinking block may come first', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'hi' },
    ];
    const { base, seen } = await serve(() => ({ body: { content } }));
    const model = aModel(base, { apiType: 'anthropic-messages', anthropicVersion: '2030-01-01' });
    expect((await openChat(model)({ ...question, temperature: 0 })).text).toBe('hi');
    expect(seen[0]).toMatchObject({ url: '/v1/v1/messages', body: { system: 's', temperature: 0 } });
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'k1', 'anthropic-version': '2030-01-01' });
  });

  it('Gemini over its chat completions path', async () => {
    const { base, seen } = await serve(() => chatAnswer('hi'));
    await openChat(aModel(base.replace('/v1', ''), { apiType: 'google-generative-ai' }))(question);
    expect(seen[0]?.url).toBe('/v1beta/openai/chat/completions');
  });

  it.each(['openai-completions', 'openai-responses', 'anthropic-messages'] as const)(
    '%s: a conversation with a picture',
    async (apiType) => {
      const { base, seen } = await serve(() => ({ body: { choices: [{}], output: [], content: [] } }));
      const messages = [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'two' },
        { role: 'user', text: 'three', images: [Buffer.from('PNG')] },
      ] as const;
      expect((await openChat(aModel(base, { apiType }))({ ...question, messages })).text).toBe('');
      const sent = JSON.stringify(seen[0]?.body);
      expect(sent).toContain(Buffer.from('PNG').toString('base64'));
      for (const text of ['one', 'two', 'three', 'assistant']) expect(sent).toContain(`"${text}"`);
    },
  );
});

describe('a request whose form the model rejects', () => {
  it.each([
    ['openai-completions', 'response_format'],
    ['openai-responses', 'text'],
    ['anthropic-messages', 'tools'],
  ] as const)('%s: is spelt without a schema from then on', async (apiType, field) => {
    const body = {
      choices: [{ message: { content: 'ok' } }],
      output_text: 'ok',
      content: [{ type: 'text', text: 'ok' }],
    };
    const { base, seen } = await serve((one) => (field in one.body ? { status: 400 } : { body }));
    const ask = openChat(aModel(base, { apiType }));
    for (let i = 0; i < 2; i += 1) expect((await ask({ ...question, schema })).text).toBe('ok');
    expect(seen.map((one) => field in one.body)).toEqual([true, false, false]);
  });

  it('a forced tool’s input is the reply', async () => {
    const content = [{ type: 'tool_use', name: 'verdict', input: { match: true, reason: 'r' } }];
    const { base } = await serve(() => ({ body: { content } }));
    const reply = await openChat(aModel(base, { apiType: 'anthropic-messages' }))({ ...question, schema });
    expect(JSON.parse(reply.text)).toEqual({ match: true, reason: 'r' });
  });

  it('uses the newer parameters when the model requires them', async () => {
    const refusal = { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } };
    const { base, seen } = await serve((one) =>
      'max_tokens' in one.body ? { status: 400, body: refusal } : chatAnswer('ok'),
    );
    const ask = openChat(aModel(base));
    for (let i = 0; i < 2; i += 1) expect((await ask(question)).text).toBe('ok');
    expect(seen.map((one) => one.body['max_completion_tokens'] ?? null)).toEqual([null, 99, 99]);
    expect('temperature' in (seen[2]?.body ?? {})).toBe(false);
  });
});

describe('the form that is kept', () => {
  const newer = { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } };
  const forms = (seen: readonly EndpointCall[]): boolean[] => seen.map((one) => 'response_format' in one.body);

  it.each([400, 404, 422])(
    'a request that fails without a schema too (HTTP %i) was not about schemas',
    async (status) => {
      const { base, seen } = await serve((_one, place) => (place < 2 ? { status } : chatAnswer('ok')));
      const ask = openChat(aModel(base));
      expect(await failure(ask({ ...question, schema }))).toMatchObject({ status });
      expect((await ask({ ...question, schema })).text).toBe('ok');
      expect(forms(seen)).toEqual([true, false, true]);
    },
  );

  it('is not taken from a second call that failed', async () => {
    const { base, seen } = await serve((_one, place) => [{ status: 400 }, { status: 503 }][place] ?? chatAnswer('ok'));
    const ask = openChat(aModel(base));
    expect(await failure(ask({ ...question, schema }))).toMatchObject({ status: 503 });
    await ask({ ...question, schema });
    expect(forms(seen)).toEqual([true, false, true]);
  });

  it('does not include newer parameters that did not help', async () => {
    const { base, seen } = await serve((_one, place) => (place < 2 ? { status: 400, body: newer } : chatAnswer('ok')));
    const ask = openChat(aModel(base));
    expect(await failure(ask(question))).toMatchObject({ status: 400 });
    await ask(question);
    expect(seen.map((one) => 'max_tokens' in one.body)).toEqual([true, false, true]);
  });

  it('has newer parameters and schemas for a model that supports both', async () => {
    const { base, seen } = await serve((one) =>
      'max_tokens' in one.body ? { status: 400, body: newer } : chatAnswer('ok'),
    );
    const ask = openChat(aModel(base));
    for (let i = 0; i < 2; i += 1) await ask({ ...question, schema });
    expect(forms(seen)).toEqual([true, true, true]);
  });

  it('is found in three calls for a model with newer parameters and no schemas', async () => {
    const { base, seen } = await serve((one) => {
      if ('max_tokens' in one.body) return { status: 400, body: newer };
      return 'response_format' in one.body ? { status: 400 } : chatAnswer('ok');
    });
    const ask = openChat(aModel(base));
    for (let i = 0; i < 2; i += 1) expect((await ask({ ...question, schema })).text).toBe('ok');
    expect(seen).toHaveLength(4);
  });
});

describe('failures', () => {
  it.each([
    [429, { 'retry-after': '7' }, { kind: 'Retry', status: 429, retryAfterSeconds: 7 }],
    [402, {}, { kind: 'Pause', status: 402 }],
    [401, {}, { kind: 'Pause', status: 401 }],
    [400, {}, { kind: 'Refused', status: 400 }],
    [503, {}, { kind: 'Retry', status: 503 }],
  ])(
    'HTTP %i is a type, and one call for each key that may be better, and the provider’s words stay out of it',
    async (status, headers, expected) => {
      const { base, seen } = await serve(() => ({ status, headers, body: { error: { message: 'SECRET' } } }));
      const error = await failure(openChat(aModel(base))(question));
      expect(error).toMatchObject(expected);
      expect((error as Error).message).not.toContain('SECRET');
      // An account that is refused is no reason against the other key's.
      expect(seen).toHaveLength(status === 401 || status === 402 ? 2 : 1);
    },
  );

  it.each(['not json', '{"detail": "a proxy"}', ''])('a reply that is of no API type: %s', async (raw) => {
    const { base } = await serve(() => ({ raw }));
    expect(await failure(openChat(aModel(base))(question))).toMatchObject({ kind: 'Retry' });
  });

  it('an endless response is reported as such and not read further', async () => {
    const { base } = await serve(() => ({ raw: 'x'.repeat(9 * 1024 * 1024) }));
    const error = await failure(openChat(aModel(base))(question));
    expect(error).toMatchObject({ kind: 'Retry', message: 'judge model jm answered with more than 8 MiB' });
  });

  it('an unreachable endpoint', async () => {
    const error = await failure(openChat(aModel('http://127.0.0.1:1/v1'))(question));
    expect(error).toMatchObject({ kind: 'Retry', status: 0, message: 'judge model jm cannot be reached' });
  });
});

describe('an outcome that the status does not tell', () => {
  const CREDIT = { error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } };
  it.each([
    ['Credit in a 400', 400, CREDIT, 'anthropic-messages', { kind: 'Pause' }],
    ['Credit in a 200', 200, { error: { code: 402, message: 'x' } }, 'openai-completions', { kind: 'Pause' }],
    [
      'RateLimit in a 200',
      200,
      { error: { code: 429, message: 'x' } },
      'openai-completions',
      { kind: 'Retry', status: 429 },
    ],
    [
      'a failed response',
      200,
      { status: 'failed', error: { code: 'server_error' } },
      'openai-responses',
      { kind: 'Retry' },
    ],
    ['HTTP 520', 520, {}, 'openai-completions', { kind: 'Retry', status: 520 }],
    ['HTTP 522', 522, {}, 'openai-completions', { kind: 'Retry', status: 522 }],
    ['HTTP 524', 524, {}, 'openai-completions', { kind: 'Retry', status: 524 }],
    ['a redirect', 307, {}, 'openai-completions', { kind: 'Refused', status: 307 }],
  ] as const)('%s', async (...[, status, body, apiType, expected]) => {
    const { base } = await serve(() => ({ status, body }));
    expect(await failure(openChat(aModel(base, { apiType }))(question))).toMatchObject(expected);
  });

  it('a key without credit is replaced by the next one', async () => {
    const { base, seen } = await serve((_seen, place) =>
      place === 0 ? { status: 400, body: CREDIT } : chatAnswer('hi'),
    );
    expect((await openChat(aModel(base))(question)).text).toBe('hi');
    expect(seen).toHaveLength(2);
  });
});

describe('reasoning is not the reply', () => {
  it.each([
    [
      'a list of parts',
      'openai-completions',
      {
        choices: [
          {
            message: {
              content: [
                { type: 'thinking', thinking: [{ type: 'text', text: 'no' }] },
                { type: 'text', text: 'ye' },
                { type: 'text', text: 's' },
              ],
            },
          },
        ],
      },
    ],
    [
      'reasoning_content',
      'openai-completions',
      { choices: [{ message: { reasoning_content: 'no', reasoning: 'no', content: 'yes' } }] },
    ],
    [
      'a tool call',
      'openai-completions',
      { choices: [{ message: { content: null, tool_calls: [{ function: { arguments: 'yes' } }] } }] },
    ],
    [
      'thinking blocks',
      'anthropic-messages',
      {
        content: [
          { type: 'thinking', thinking: 'no' },
          { type: 'redacted_thinking', data: 'no' },
          { type: 'text', text: 'yes' },
        ],
      },
    ],
    [
      'reasoning items',
      'openai-responses',
      {
        output: [
          {
            type: 'reasoning',
            summary: [],
            content: [
              { type: 'reasoning_text', text: 'no' },
              { type: 'text', text: 'no' },
            ],
          },
          { type: 'message', content: [{ type: 'output_text', text: 'yes' }] },
        ],
      },
    ],
    [
      'a function call',
      'openai-responses',
      {
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'function_call', arguments: 'yes' },
        ],
      },
    ],
  ] as const)('%s', async (_what, apiType, body) => {
    const { base } = await serve(() => ({ body }));
    expect((await openChat(aModel(base, { apiType }))(question)).text).toBe('yes');
  });
});

describe('room for the reply', () => {
  const cut = { body: { choices: [{ message: { content: '' }, finish_reason: 'length' }] } };
  it('grows once where the reply was cut, and stays grown', async () => {
    const { base, seen } = await serve((_seen, place) => (place === 0 ? cut : chatAnswer('hi')));
    const ask = openChat(aModel(base));
    expect(await ask({ ...question, maxTokens: 800 })).toMatchObject({ text: 'hi' });
    await ask({ ...question, maxTokens: 800 });
    expect(seen.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([800, 8192, 8192]);
  });
  it('is what models.yaml says, and a reply that is cut twice says so', async () => {
    const { base, seen } = await serve(() => cut);
    const reply = await openChat(aModel(base, { maxTokens: 3000 }))({ ...question, maxTokens: 800 });
    expect(seen.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([3000, 12_000]);
    expect(reply.shortfall).toBe('cut at 12000 tokens');
  });
  it('is not what a declined reply needs', async () => {
    const { base, seen } = await serve(() => ({
      body: { choices: [{ message: { refusal: 'I cannot' }, finish_reason: 'stop' }] },
    }));
    expect((await openChat(aModel(base))(question)).shortfall).toContain('declined');
    expect(seen).toHaveLength(1);
  });
});

it('a server that streams unless told otherwise is told, and remembered', async () => {
  const stream = 'data: {"choices":[{"delta":{"content":"h"}}]}\n\ndata: [DONE]\n\n';
  const { base, seen } = await serve(({ body }) =>
    (body as { stream?: boolean }).stream === false ? chatAnswer('hi') : { raw: stream },
  );
  const ask = openChat(aModel(base));
  for (let time = 0; time < 2; time++) expect((await ask(question)).text).toBe('hi');
  expect(seen).toHaveLength(3);
});
