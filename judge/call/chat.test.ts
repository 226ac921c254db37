import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { ModelEntry } from '../../benchmark/models-file.ts';
import { openAsk } from './chat.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Seen {
  url: string;
  key: string;
  body: Record<string, unknown>;
}

async function endpoint(
  status: number,
  reply: unknown,
  headers: Record<string, string> = {},
): Promise<{ base: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', key: request.headers.authorization ?? '', body: JSON.parse(text) });
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${(server?.address() as AddressInfo).port}/v1`, seen };
}

const model = (baseUrl: string, changes: Partial<ModelEntry> = {}): ModelEntry => ({
  name: 'jm',
  baseUrl,
  apiType: 'openai-completions',
  keys: ['k1', 'k2'],
  thinkingLevel: null,
  temperature: null,
  maxTokens: null,
  ...changes,
});
const question = { system: 's', user: 'u', maxTokens: 99 };

it('asks a completions endpoint at temperature 0, the keys in turn', async () => {
  const { base, seen } = await endpoint(200, { choices: [{ message: { content: 'hello' } }] });
  const ask = openAsk(model(base));
  expect([await ask(question), await ask(question)]).toEqual(['hello', 'hello']);
  expect(seen.map((one) => one.key)).toEqual(['Bearer k1', 'Bearer k2']);
  expect(seen[0]).toMatchObject({ url: '/v1/chat/completions', body: { model: 'jm', temperature: 0, max_tokens: 99 } });
});

it('asks a responses endpoint', async () => {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'hi', annotations: [] }] }];
  const { base, seen } = await endpoint(200, { id: 'r', object: 'response', output });
  expect(await openAsk(model(base, { apiType: 'openai-responses' }))(question)).toBe('hi');
  expect(seen[0]?.url).toBe('/v1/responses');
});

it.each([
  [429, { 'retry-after': '7' }, { kind: 'Retry', status: 429, retryAfterSeconds: 7 }],
  [402, {}, { kind: 'Pause', status: 402 }],
  [400, {}, { kind: 'Refused', status: 400 }],
])('types HTTP %i', async (status, headers, expected) => {
  const { base } = await endpoint(status, { error: { message: 'the request said: SECRET' } }, headers);
  const error: unknown = await openAsk(model(base))(question).catch((reason: unknown) => reason);
  expect(error).toMatchObject(expected);
  expect((error as Error).message).not.toContain('SECRET');
});

it('types an endpoint that is not there', async () => {
  const error: unknown = await openAsk(model('http://127.0.0.1:1/v1'))(question).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ kind: 'Retry', status: 0 });
});
