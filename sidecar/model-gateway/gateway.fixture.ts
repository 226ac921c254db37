import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { gatewayConfig, MODEL_CALLS_FILES, type GatewayCaps } from '../../benchmark/protocol/model-gateway.ts';
import type { PriceList } from '../../benchmark/usage/price.ts';
import { startModelGateway, type ModelGateway } from './server.ts';

export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Script = (response: ServerResponse, seen: ReceivedCall, number: number) => unknown;

export interface GatewayFixture {
  readonly gateway: ModelGateway;
  readonly base: string;
  readonly seen: readonly ReceivedCall[];
  readonly directory: string;
  /** Rows of a file of the gateway's volume. */
  readonly rows: (name: keyof typeof MODEL_CALLS_FILES) => Record<string, unknown>[];
  /** What the gateway logged. */
  readonly logged: readonly string[];
  close(): Promise<void>;
}

export interface GatewayFixtureOptions {
  readonly apiType?: ApiType;
  readonly basePath?: string;
  readonly keys?: readonly string[];
  readonly caps?: Partial<GatewayCaps>;
  readonly prices?: PriceList;
  /** Overrides the provider's address. */
  readonly baseUrl?: string;
}

/** A provider on loopback that follows a script, and a gateway in front of it. */
export async function openGateway(script: Script, options: GatewayFixtureOptions = {}): Promise<GatewayFixture> {
  const seen: ReceivedCall[] = [];
  const provider = createServer((request, response) => {
    void readAll(request).then(async (body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      await script(response, one, seen.length);
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), 'gateway-'));
  const logged: string[] = [];
  const gateway = await startModelGateway({
    config: gatewayConfig.parse({ harness: 'h', model: 'm', caps: options.caps ?? {} }),
    model: {
      name: 'm',
      baseUrl: options.baseUrl ?? `http://127.0.0.1:${String(port)}${options.basePath ?? '/v1'}`,
      apiType: options.apiType ?? 'openai-completions',
      keys: options.keys ?? ['sk-real-one'],
      thinkingLevel: null,
      temperature: null,
      maxTokens: null,
    },
    prices: options.prices ?? new Map(),
    port: 0,
    directory,
    log: pino({}, { write: (line: string) => void logged.push(line) }),
  });
  return {
    gateway,
    base: gateway.baseUrl,
    seen,
    directory,
    logged,
    rows: (name) =>
      readFileSync(join(directory, MODEL_CALLS_FILES[name]), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    close: async () => {
      await gateway.close();
      provider.closeAllConnections();
      await new Promise((resolve) => provider.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
