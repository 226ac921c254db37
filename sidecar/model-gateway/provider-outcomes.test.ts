import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderFailure } from '../../benchmark/models/provider-failure.ts';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { eventually } from '../eventually.fixture.ts';
import { providerOutcome } from '../lifecycle/finalise/model-outcome.ts';
import { openGateway, type GatewayFixture, type GatewayFixtureOptions } from './gateway.fixture.ts';

let fixture: GatewayFixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});
type Script = Parameters<typeof openGateway>[0];
async function open(script: Script, options: GatewayFixtureOptions = {}): Promise<GatewayFixture> {
  fixture = await openGateway(script, options);
  return fixture;
}
const PATHS: Readonly<Record<ApiType, string>> = {
  'openai-completions': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  'google-generative-ai': '/v1/models/m:generateContent',
};
const call = (gateway: GatewayFixture, apiType: ApiType, body: object = { stream: true }): Promise<Response> =>
  fetch(gateway.base.replace(/\/v1$/, '') + PATHS[apiType], { method: 'POST', body: JSON.stringify(body) });

const sse =
  (...events: readonly unknown[]): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const name = (event as { type?: unknown }).type;
      response.write(
        `${typeof name === 'string' ? `event: ${name}\n` : ''}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
      );
    }
    response.end();
  };
const json =
  (status: number, value: unknown): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
const text = { choices: [{ delta: { content: 'hello' }, finish_reason: null }] };
const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } };

/** Each answer is the last that the agent had of its model before it left. */
const FAILURES: readonly (readonly [what: string, apiType: ApiType, script: Script, kind: ProviderFailure])[] = [
  ['overloaded, in a 200', 'anthropic-messages', sse(overloaded), 'Server'],
  [
    'overloaded after its first word',
    'anthropic-messages',
    sse({ type: 'message_start', message: {} }, delta, overloaded),
    'Server',
  ],
  [
    'an error body in a 200',
    'openai-completions',
    json(200, { error: { code: 502, message: 'bad gateway' } }),
    'Server',
  ],
  [
    'finish reason error',
    'openai-completions',
    sse(text, { choices: [{ delta: {}, finish_reason: 'error' }] }),
    'Server',
  ],
  ['a stream that ends without its final event', 'openai-completions', sse(text, text), 'Server'],
  ['an empty stream', 'openai-completions', sse(), 'Server'],
  [
    'HTML in a 200',
    'openai-completions',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    'Server',
  ],
  [
    'a credit balance that is too low, in a 400',
    'anthropic-messages',
    json(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
    }),
    'Credit',
  ],
  [
    'a failed response',
    'openai-responses',
    sse({ type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit_exceeded' } } }),
    'RateLimit',
  ],
  [
    'a wrong key in a 400',
    'google-generative-ai',
    json(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid.' } }),
    'Auth',
  ],
  [
    'an unavailable model in an array',
    'google-generative-ai',
    json(200, [{ error: { code: 503, status: 'UNAVAILABLE' } }]),
    'Server',
  ],
];

describe.each(FAILURES)('%s', (_what, apiType, script, kind) => {
  it('is a failure of the provider: not a success, and the agent that leaves now was not beaten', async () => {
    const gateway = await open(script, { apiType, keys: ['one-key'] });
    await (await call(gateway, apiType)).text();
    await eventually(() => gateway.gateway.state.inFlight === 0 && gateway.gateway.state.lastFailure !== null);
    const { state } = gateway.gateway;
    expect(state).toMatchObject({ failures: { [kind]: 1 }, lastFailure: { kind }, lastSuccessAt: null });
    expect(providerOutcome(state)).toMatchObject({ outcome: 'Infrastructure', reason: 'ModelUnavailable' });
    await gateway.gateway.close();
    expect(gateway.rows('calls')).toMatchObject([{ result: kind }]);
  });
});

it('an answer that fails does not clear an earlier failure, and a whole one does', async () => {
  const scripts = [json(429, {}), sse(overloaded), sse(delta, { type: 'message_stop' })];
  const gateway = await open((response, seen, number) => scripts[number - 1]?.(response, seen, number), {
    apiType: 'anthropic-messages',
    keys: ['one-key'],
  });
  for (const blamed of [true, true, false]) {
    await (await call(gateway, 'anthropic-messages')).text();
    await eventually(() => gateway.gateway.state.inFlight === 0);
    expect(providerOutcome(gateway.gateway.state) !== null).toBe(blamed);
  }
});

describe('the next key is tried, whatever the status was', () => {
  it.each<[string, ApiType, Script]>([
    [
      'Credit in a 400',
      'anthropic-messages',
      json(400, { error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } }),
    ],
    ['Credit in a 200', 'openai-completions', json(200, { error: { code: 402, message: 'Insufficient credits' } })],
    [
      'RateLimit as the first event of a stream',
      'openai-completions',
      sse({ error: { code: 429, message: 'slow down' } }),
    ],
    [
      'Auth in a 400',
      'google-generative-ai',
      json(400, { error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } }),
    ],
  ])('%s', async (_what, apiType, refusal) => {
    const good = { choices: [{ message: { content: 'ok' } }], content: [], candidates: [{}], output: [] };
    const gateway = await open(
      (response, seen, number) => {
        const isFirst = [seen.headers.authorization, seen.headers['x-api-key'], seen.headers['x-goog-api-key']].some(
          (key) => String(key).endsWith('key-a'),
        );
        return isFirst ? refusal(response, seen, number) : json(200, good)(response, seen, number);
      },
      { apiType, keys: ['key-a', 'key-b'] },
    );
    const answer = await call(gateway, apiType);
    expect(await answer.json()).toEqual(good);
    expect(gateway.seen).toHaveLength(2);
    await (await call(gateway, apiType)).text();
    // The first key rests.
    expect(gateway.seen).toHaveLength(3);
  });

  it('an overloaded provider is not asked with every key: the key is not at fault', async () => {
    const gateway = await open(sse(overloaded), { apiType: 'anthropic-messages', keys: ['key-a', 'key-b'] });
    expect(await (await call(gateway, 'anthropic-messages')).text()).toContain('overloaded_error');
    expect(gateway.seen).toHaveLength(1);
  });
});

describe('stream_options, which the harness did not send', () => {
  const refusing: Script = (response, seen, number) => {
    const refused = seen.body.includes('stream_options');
    const answer = refused
      ? json(400, { error: { message: 'Unknown field: stream_options', type: 'invalid_request_error' } })
      : sse(text, '[DONE]');
    return answer(response, seen, number);
  };
  it('is left out where the provider refuses it, and remembered; the usage is estimated', async () => {
    const gateway = await open(refusing);
    for (let time = 0; time < 2; time++) expect((await call(gateway, 'openai-completions')).status).toBe(200);
    await eventually(() => gateway.gateway.state.calls === 2 && gateway.gateway.state.inFlight === 0);
    expect(gateway.seen.map(({ body }) => body.includes('stream_options'))).toEqual([true, false, false]);
    expect(gateway.gateway.state).toMatchObject({ failures: {}, estimated: 2, lastFailure: null });
  });
  it('is not dropped for a harness that sent it itself', async () => {
    const gateway = await open(refusing);
    const answer = await call(gateway, 'openai-completions', { stream: true, stream_options: { include_usage: true } });
    expect([answer.status, gateway.seen.length]).toEqual([400, 1]);
  });
});

it('a key in an error that comes with a 200 does not pass', async () => {
  const gateway = await open(json(200, { error: { code: 401, message: 'Incorrect key sk-real-one' } }));
  expect(await (await call(gateway, 'openai-completions')).text()).not.toContain('sk-real-one');
});

it('a compressed error of half a gigabyte costs no memory', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const gateway = await open((response) =>
    response.writeHead(500, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
  );
  const before = process.memoryUsage().rss;
  expect((await call(gateway, 'openai-completions')).status).toBe(500);
  expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
});

describe('a path that a URL parser changes is refused', () => {
  it.each([
    '/v1/batches#/chat/completions',
    '/v1/files#/models',
    '/v1/models/..',
    '/v1/x/./chat/completions',
    '/v1/x\\chat/completions',
    '/v1/a\tb/chat/completions',
    '/v1/%5c/chat/completions',
  ])('%s', async (path) => {
    const gateway = await open(json(200, {}));
    const method = path.includes('completions') ? 'POST' : 'GET';
    const status = await rawStatus(Number(new URL(gateway.base).port), `${method} ${path} HTTP/1.1`);
    expect([400, 403]).toContain(status);
    expect(gateway.seen).toEqual([]);
  });
});

/** Node's client refuses such paths, so the request line is written by hand. */
function rawStatus(port: number, requestLine: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${requestLine}\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`);
    });
    socket.once('data', (data: Buffer) => {
      resolve(Number(data.toString('latin1').split(' ')[1]));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

it('an error in a stream that the provider keeps open is relayed at once', async () => {
  const gateway = await open(
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(overloaded)}\n\n`);
    },
    { apiType: 'anthropic-messages' },
  );
  const answer = await call(gateway, 'anthropic-messages');
  expect(await answer.text()).toContain('overloaded_error');
});

it('a key at the place where a long error text is cut is removed whole', async () => {
  const gateway = await open((response) => response.writeHead(500).end(`${'x'.repeat(64 * 1024 - 9)}sk-real-one`));
  expect(await (await call(gateway, 'openai-completions')).text()).not.toContain('sk-real-');
});

it.each([{}, { 'content-type': 'text/plain' }, { 'content-type': 'Text/Event-Stream; charset=utf-8' }])(
  'a stream is one whatever its content type says: %j',
  async (headers) => {
    const gateway = await open((response) => {
      response.writeHead(200, headers);
      response.write(`data: ${JSON.stringify(text)}\n\n`);
      setTimeout(() => response.end('data: [DONE]\n\n'), 20);
    });
    expect(await (await call(gateway, 'openai-completions')).text()).toContain('[DONE]');
    await eventually(() => gateway.gateway.state.calls === 1 && gateway.gateway.state.inFlight === 0);
    expect(gateway.gateway.state).toMatchObject({ failures: {}, lastFailure: null });
  },
);
