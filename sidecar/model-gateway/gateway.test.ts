import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { readGatewayState } from './read-state.ts';
import { openGateway, type GatewayFixture, type GatewayFixtureOptions } from './gateway.fixture.ts';
import { eventually } from '../eventually.fixture.ts';

let fixture: GatewayFixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});
async function open(
  script: Parameters<typeof openGateway>[0],
  options: GatewayFixtureOptions = {},
): Promise<GatewayFixture> {
  fixture = await openGateway(script, options);
  return fixture;
}
const post = (url: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', authorization: 'Bearer clawbench-placeholder', ...init.headers },
  });
const CHAT = { id: 'c1', model: 'm', choices: [{}], usage: { prompt_tokens: 100, completion_tokens: 20 } };
const PRICES = new Map([['m', { pricing: { prompt: '0.00001', completion: '0.00005' } }]]);
const json =
  (value: unknown): Parameters<typeof openGateway>[0] =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r', 'set-cookie': 'a=b' });
    response.end(JSON.stringify(value));
  };

describe('keys', () => {
  it('replaces whatever the harness sent with the real key, and reveals it nowhere', async () => {
    const { base, seen, directory, logged, gateway } = await open((response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'x-echo': 'sk-real-one' });
      response.end('{"error":{"message":"Incorrect key: sk-real-one"}}');
    });
    const answer = await post(
      `${base}/chat/completions?key=abc&x=1`,
      { model: 'm' },
      { headers: { 'x-api-key': 'z' } },
    );
    const text = (await answer.text()) + JSON.stringify([...answer.headers]);
    expect(answer.status).toBe(401);
    expect(seen[0]).toMatchObject({
      url: '/v1/chat/completions?x=1',
      headers: { authorization: 'Bearer sk-real-one' },
    });
    expect(seen[0]?.headers['x-api-key']).toBeUndefined();
    await gateway.close();
    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    for (const place of [text, logged.join(''), ...files]) expect(place).not.toContain('sk-real-one');
    expect(gateway.state).toMatchObject({
      calls: 0,
      failures: { Auth: 1 },
      lastFailure: { kind: 'Auth', status: 401 },
    });
  });
  it.each<[ApiType, string, string]>([
    ['openai-responses', '/v1/responses', 'authorization'],
    ['anthropic-messages', '/v1/messages', 'x-api-key'],
    ['google-generative-ai', '/v1/models/m:generateContent', 'x-goog-api-key'],
  ])('%s sends it in the header of its API', async (apiType, path, header) => {
    const { base, seen } = await open(json({}), { apiType });
    await post(base.replace(/\/v1$/, '') + path, {});
    expect(String(seen[0]?.headers[header]).replace('Bearer ', '')).toBe('sk-real-one');
  });
  it('uses keys in turn and skips one without credit', async () => {
    const { base, seen } = await open(
      (response, { headers }) => {
        if (headers.authorization === 'Bearer key-b') response.writeHead(402).end('{}');
        else void json(CHAT)(response, seen[0]!, 1);
      },
      { keys: ['key-a', 'key-b', 'key-c'] },
    );
    for (let call = 0; call < 4; call++) expect((await post(`${base}/chat/completions`, {})).status).toBe(200);
    const used = seen.map(({ headers }) => String(headers.authorization).slice(-1));
    expect(used).toEqual(['a', 'b', 'c', 'a', 'c']);
  });
});

describe('usage', () => {
  it('is exact, priced and live', async () => {
    const { base, gateway, rows, directory } = await open(json(CHAT), { prices: PRICES });
    const answer = await post(`${base}/chat/completions`, { model: 'm' });
    expect(await answer.json()).toEqual(CHAT);
    expect(answer.headers.get('x-request-id')).toBe('r');
    expect(answer.headers.get('set-cookie')).toBeNull();
    await eventually(() => gateway.state.calls === 1 && gateway.state.inFlight === 0);
    expect(gateway.state).toMatchObject({ tokens: 120, costUSD: 0.002, estimated: 0 });
    await gateway.close();
    expect(rows('usage')).toMatchObject([
      { type: 'usage', call_id: 'gateway:1:c1', input_tokens: 100, output_tokens: 20, estimated_cost_usd: 0.002 },
    ]);
    expect(rows('calls')).toMatchObject([
      { endpoint: '/v1/chat/completions', status: 200, usage: 'Exact', result: 'Ok' },
    ]);
    expect(await readGatewayState(directory)).toMatchObject({ calls: 1, tokens: 120, inFlight: 0 });
    expect(await readGatewayState(`${directory}/none`)).toBeNull();
  });
  it('is read from a compressed answer, which is relayed unchanged', async () => {
    const { base, gateway } = await open((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(CHAT)));
    });
    expect(await (await post(`${base}/chat/completions`, {})).json()).toEqual(CHAT);
    await eventually(() => gateway.state.tokens === 120);
  });
  it('is estimated from the text, and marked so, when the provider reports none', async () => {
    const { base, gateway } = await open(json({ choices: [{ message: { content: 'x'.repeat(400) } }] }));
    await (await post(`${base}/chat/completions`, { messages: 'y'.repeat(800) })).text();
    await eventually(() => gateway.state.calls === 1);
    expect(gateway.state.estimated).toBe(1);
    expect(gateway.state.tokens).toBeGreaterThan(290);
    expect(gateway.state).toMatchObject({ costUSD: null });
  });
  it('has no price for a model that is called under another name', async () => {
    const { base, gateway } = await open(json({ ...CHAT, model: 'other' }), { prices: PRICES });
    await (await post(`${base}/chat/completions`, { model: 'other' })).text();
    await eventually(() => gateway.state.calls === 1);
    expect(gateway.state).toMatchObject({ tokens: 120, costUSD: null });
  });
});

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const USAGE_CHUNK = chunk({ id: 'c1', choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } });
const WORDS = ['eins', 'zwei', 'drei'].map((word) => chunk({ id: 'c1', choices: [{ delta: { content: word } }] }));

describe('streams', () => {
  it('are relayed as they arrive: the first word is there before the second was sent', async () => {
    let release = (): void => undefined;
    const second = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { base, gateway } = await open(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(WORDS[0]);
      await second;
      response.end(`${WORDS[1] ?? ''}${USAGE_CHUNK}data: [DONE]\n\n`);
    });
    const answer = await post(`${base}/chat/completions`, { stream: true, stream_options: { include_usage: true } });
    const reader = answer.body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(WORDS[0]);
    expect(gateway.state.inFlight).toBe(1);
    release();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += Buffer.from(part.value).toString();
    expect(rest).toBe(`${WORDS[1] ?? ''}${USAGE_CHUNK}data: [DONE]\n\n`);
    await eventually(() => gateway.state.tokens === 13);
  });
  it('report their usage although the harness did not ask for it, and that chunk is not relayed', async () => {
    const all = `${WORDS.join('')}${USAGE_CHUNK}data: [DONE]\n\n`;
    const { base, seen, gateway } = await open(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Cut in the middle of events and of words.
      for (let at = 0; at < all.length; at += 37) {
        response.write(all.slice(at, at + 37));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const answer = await post(`${base}/chat/completions`, { stream: true, messages: [] });
    expect(await answer.text()).toBe(`${WORDS.join('')}data: [DONE]\n\n`);
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    await eventually(() => gateway.state.tokens === 13);
    expect(gateway.state.estimated).toBe(0);
  });
  it('end at the provider when the harness hangs up, and what was reported is billed', async () => {
    let closed = false;
    const { base, gateway, rows } = await open(
      (response) => {
        response.once('close', () => (closed = true));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          chunk({ type: 'message_start', message: { id: 'm1', usage: { input_tokens: 500, output_tokens: 1 } } }),
        );
      },
      { apiType: 'anthropic-messages' },
    );
    const hangUp = new AbortController();
    const answer = await post(`${base}/messages`, { stream: true }, { signal: hangUp.signal });
    await answer.body!.getReader().read();
    hangUp.abort();
    await eventually(() => closed && gateway.state.calls === 1);
    expect(gateway.state).toMatchObject({ estimated: 1, inFlight: 0 });
    expect(gateway.state.tokens).toBeGreaterThanOrEqual(501);
    await gateway.close();
    expect(rows('calls')).toMatchObject([{ result: 'ClientGone', usage: 'Estimated' }]);
  });
  it('count as a success of the provider when the harness hangs up with what it wanted', async () => {
    const { base, gateway } = await open((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${WORDS.join('')}data: [DONE]\n\n`);
    });
    const hangUp = new AbortController();
    const answer = await post(`${base}/chat/completions`, { stream: true }, { signal: hangUp.signal });
    await answer.body!.getReader().read();
    hangUp.abort();
    await eventually(() => gateway.state.calls === 1);
    expect(gateway.state).toMatchObject({ failures: {}, lastFailure: null });
    expect(gateway.state.lastSuccessAt).not.toBeNull();
  });
  it('given up before the first word are calls, billed for their prompt', async () => {
    let asked = 0;
    const { base, gateway, rows } = await open(() => void (asked += 1), { caps: { calls: 2 } });
    for (const calls of [1, 2]) {
      const hangUp = new AbortController();
      const body = { messages: 'y'.repeat(800) };
      const answer = post(`${base}/chat/completions`, body, { signal: hangUp.signal });
      answer.catch(() => undefined);
      await eventually(() => asked === calls);
      hangUp.abort();
      await eventually(() => gateway.state.calls === calls && gateway.state.inFlight === 0);
    }
    expect(gateway.state).toMatchObject({ estimated: 2, failures: {}, lastSuccessAt: null });
    expect(gateway.state.tokens).toBeGreaterThanOrEqual(400);
    expect((await post(`${base}/chat/completions`, {})).status).toBe(402);
    await gateway.close();
    expect(rows('usage')).toHaveLength(2);
    expect(rows('calls')[0]).toMatchObject({ status: 0, result: 'ClientGone', usage: 'Estimated' });
  });
  it('cut off by the shutdown of the gateway are in its files', async () => {
    let asked = false;
    const { base, gateway, rows } = await open((response) => {
      asked = true;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(WORDS[0]);
    });
    const answer = post(`${base}/chat/completions`, { stream: true, messages: 'y'.repeat(800) });
    const text = answer.then((got) => got.text());
    text.catch(() => undefined);
    await eventually(() => asked && gateway.state.inFlight === 1);
    await gateway.close();
    expect(rows('calls')).toMatchObject([{ result: 'ClientGone', usage: 'Estimated' }]);
    expect(rows('usage')).toHaveLength(1);
    expect(rows('state')).toMatchObject([{ calls: 1, inFlight: 0 }]);
  });
  it('cut off by the provider are cut off for the harness too, never ended as if complete', async () => {
    const { base, gateway } = await open((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(WORDS[0], () => response.destroy());
    });
    const answer = await post(`${base}/chat/completions`, { stream: true });
    await expect(answer.text()).rejects.toThrow();
    await eventually(() => gateway.state.failures.Network === 1);
    expect(gateway.state.lastSuccessAt).toBeNull();
  });
});

describe('caps', () => {
  it.each([
    [{ calls: 2 }, 'CallCap', 2],
    [{ tokens: 240 }, 'TokenCap', 2],
    [{ tokens: 241 }, 'TokenCap', 3],
    [{ costUSD: 0.004 }, 'CostCap', 2],
  ])('%j refuses with %s after %i calls, in a word no client tries again', async (caps, reason, calls) => {
    const { base, seen, gateway, rows } = await open(json(CHAT), { caps, prices: PRICES });
    const statuses: number[] = [];
    let last = '';
    for (let call = 0; call < calls + 2; call++) {
      const answer = await post(`${base}/chat/completions`, { model: 'm' });
      statuses.push(answer.status);
      last = await answer.text();
    }
    expect(statuses).toEqual([...Array<number>(calls).fill(200), 402, 402]);
    expect(JSON.parse(last)).toMatchObject({ error: { code: reason } });
    expect(seen).toHaveLength(calls);
    expect(gateway.state.refusals).toEqual({ [reason]: 2 });
    await gateway.close();
    expect(rows('calls').at(-1)).toMatchObject({ result: reason });
  });
  it('hold for concurrent calls: each waits until the one before is billed', async () => {
    const { base, seen } = await open(json(CHAT), { caps: { tokens: 200 } });
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(`${base}/chat/completions`, {})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 402, 402, 402, 402]);
    expect(seen).toHaveLength(2);
  });
  it('on cost refuse calls after the first one without a price', async () => {
    const { base } = await open(json(CHAT), { caps: { costUSD: 1 } });
    expect((await post(`${base}/chat/completions`, {})).status).toBe(200);
    const refused = await post(`${base}/chat/completions`, {});
    expect([refused.status, await refused.json()]).toMatchObject([402, { error: { code: 'PriceUnknown' } }]);
  });
});

describe('what is refused', () => {
  it.each([
    ['POST', '/v1/files'],
    ['POST', '/v1/batches'],
    ['DELETE', '/v1/models/m'],
    ['POST', '/v1/../admin/chat/completions'],
    ['POST', '/other/chat/completions'],
    ['POST', '/v1/%2e%2e/chat/completions'],
  ])('%s %s', async (method, path) => {
    const { base, seen, gateway } = await open(json(CHAT));
    const answer = await fetch(new URL(path, base), { method, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect(answer.status).toBe(403);
    expect(seen).toEqual([]);
    expect(gateway.state.refusals).toEqual({ EndpointNotAllowed: 1 });
  });
  it('a page', async () => {
    const { base, seen } = await open(json(CHAT));
    expect((await post(`${base}/chat/completions`, {}, { headers: { origin: 'http://a.test' } })).status).toBe(403);
    expect(seen).toEqual([]);
  });
  it('a redirect, which would lead past the gateway', async () => {
    const { base } = await open((response) => response.writeHead(307, { location: 'http://elsewhere.test/' }).end());
    const answer = await post(`${base}/chat/completions`, {}, { redirect: 'manual' });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('base_url');
  });
});

describe('failures of the provider', () => {
  it.each([
    [429, 'RateLimit'],
    [500, 'Server'],
    [400, 'Request'],
  ])('HTTP %i is relayed as it is and counts as %s', async (status, kind) => {
    const { base, gateway, seen } = await open((response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end('{"error":"x"}');
    });
    const answer = await post(`${base}/chat/completions`, {});
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
      status,
      '7',
      '{"error":"x"}',
    ]);
    expect(gateway.state).toMatchObject({ calls: 0, failures: { [kind]: 1 }, inFlight: 0 });
    expect(seen).toHaveLength(1);
  });
  it('does not count for a request that costs nothing: a list of models says nothing about a call', async () => {
    const { base, gateway, rows } = await open((response) => response.writeHead(500).end('{}'));
    expect((await fetch(`${base}/models`)).status).toBe(500);
    await gateway.close();
    expect(gateway.state).toMatchObject({ failures: {}, lastFailure: null });
    expect(rows('calls')).toMatchObject([{ status: 500, result: 'Server' }]);
  });
  it('a compressed error is decompressed, so that no key passes in it', async () => {
    const { base } = await open((response) => {
      response.writeHead(403, { 'content-encoding': 'gzip' }).end(gzipSync('no such key: sk-real-one'));
    });
    expect(await (await post(`${base}/chat/completions`, {})).text()).toBe('no such key: [REDACTED]');
  });
  it('a provider that cannot be reached is a 502 of the gateway itself', async () => {
    const { base, gateway } = await open(json({}), { baseUrl: 'http://127.0.0.1:9/v1' });
    const answer = await post(`${base}/chat/completions`, {});
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'Network' } }]);
    expect(gateway.state).toMatchObject({ failures: { Network: 1 } });
  });
});
