import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';

export interface EndpointCall {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A model endpoint on loopback that answers as a test says. */
export interface ScriptedEndpoint {
  /** With `/v1`. */
  readonly base: string;
  readonly seen: readonly EndpointCall[];
  close(): Promise<void>;
}

/** @param answer by request and its place, from 0. */
export async function openEndpoint(
  answer: (seen: EndpointCall, place: number) => ScriptedAnswer,
): Promise<ScriptedEndpoint> {
  const seen: EndpointCall[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) as EndpointCall['body'] };
      seen.push(one);
      const { status = 200, body = {}, raw, headers = {} } = answer(one, seen.length - 1);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(raw ?? JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function aModel(baseUrl: string, changes: Partial<ModelEntry> = {}): ModelEntry {
  const settings = { thinkingLevel: null, temperature: null, maxTokens: null };
  return { name: 'jm', baseUrl, apiType: 'openai-completions', keys: ['k1', 'k2'], ...settings, ...changes };
}

/** A chat completion that says this. */
export function chatAnswer(content: string, tokens = 10): ScriptedAnswer {
  return { body: { choices: [{ message: { content } }], usage: { prompt_tokens: tokens - 1, completion_tokens: 1 } } };
}
