import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayConfig } from '../benchmark/protocol/model-gateway.ts';
import { startViewServer } from '../cli/view/server.ts';
import { startControl } from './control/server.ts';
import type { AttemptControl } from './control/attempt-control.ts';
import { listenDevToolsProxy } from './interception/devtools-proxy/listen.ts';
import { isLocalProgram, isLoopbackHost } from './local-caller.ts';
import { startModelGateway } from './model-gateway/server.ts';

const PAGE = { isLoopback: true, isProgram: false };
const PROGRAM = { isLoopback: true, isProgram: true };
const REBOUND = { isLoopback: false, isProgram: false };

/** Each row is asked of the rule and of every port that applies it. */
const CALLERS = [
  [{ host: '127.0.0.1:4000' }, PROGRAM],
  [{ host: '127.0.0.1' }, PROGRAM],
  [{ host: '127.0.0.2:9222' }, PROGRAM],
  [{ host: 'localhost:80' }, PROGRAM],
  [{ host: 'LOCALHOST' }, PROGRAM],
  [{ host: '[::1]:9222' }, PROGRAM],
  // Node's own fetch.
  [{ host: '127.0.0.1:4000', 'sec-fetch-mode': 'cors' }, PROGRAM],
  [{ host: '127.0.0.1:9222', origin: 'https://a.test' }, PAGE],
  [{ host: '127.0.0.1:9222', origin: 'http://127.0.0.1:9222' }, PAGE],
  [{ host: '127.0.0.1:9222', origin: 'null' }, PAGE],
  [{ host: '127.0.0.1:9222', 'sec-fetch-site': 'none' }, PAGE],
  [{ host: '127.0.0.1:9222', 'sec-fetch-site': 'cross-site' }, PAGE],
  [{ host: 'evil.test' }, REBOUND],
  [{ host: 'rebound.example:9222' }, REBOUND],
  [{ host: 'evil.test:4000', origin: 'http://evil.test:4000' }, REBOUND],
  [{ host: '127.0.0.1.evil.test' }, REBOUND],
  [{ host: 'localhost.evil.test:80' }, REBOUND],
  [{ host: 'localhost.example' }, REBOUND],
  [{ host: 'localhost@evil.test' }, REBOUND],
  [{ host: '0.0.0.0:4000' }, REBOUND],
  [{ host: '127.0.0.1:4000,evil.test' }, REBOUND],
  [{ host: '' }, REBOUND],
  [{}, REBOUND],
] as const;

const log = pino({ level: 'silent' });
const ports = { control: 0, devTools: 0, models: 0, view: 0 };
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'local-caller-'));
  const control = await startControl({} as AttemptControl, 0, log);
  const devTools = await listenDevToolsProxy({
    port: 0,
    cdpSocket: '/nowhere',
    phase: { current: 'starting' } as never,
    log,
  });
  // Nothing listens at its provider: a call that is admitted is answered with 502.
  const baseUrl = 'http://127.0.0.1:9/v1';
  const settings = { thinkingLevel: null, temperature: null, maxTokens: null };
  const models = await startModelGateway({
    config: gatewayConfig.parse({ harness: 'h', model: 'm', caps: {} }),
    model: { name: 'm', baseUrl, apiType: 'openai-completions', keys: ['sk-of-the-test'], ...settings },
    prices: new Map(),
    port: 0,
    directory,
    log,
  });
  const view = await startViewServer(directory, 0);
  Object.assign(ports, { control: control.port, devTools: devTools.port, view: view.port });
  ports.models = Number(new URL(models.baseUrl).port);
  closing.push(...[control, devTools, models, view].map((server) => () => server.close()));
});
afterAll(() => Promise.all(closing.map((close) => close())));

/** Whether the port turns the caller away: 403, or Node's own 400 where `Host` is missing. */
function admits(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers: { ...headers }, setHost: false, agent: false };
    const sent = request(options, (response) => {
      response.resume();
      resolve(response.statusCode !== 403 && response.statusCode !== 400);
    });
    sent.on('error', reject).end();
  });
}

describe.each(CALLERS)('%j', (headers, { isLoopback, isProgram }) => {
  it('by the rule', () => {
    expect([isLoopbackHost((headers as { host?: string }).host), isLocalProgram(headers)]).toEqual([
      isLoopback,
      isProgram,
    ]);
  });

  it.each([
    ['the control API', 'control', '/healthz'],
    ['the DevTools proxy', 'devTools', '/json/version'],
    ['the model gateway', 'models', '/v1/models'],
  ] as const)('%s serves programs', async (_name, port, path) => {
    expect(await admits(ports[port], path, headers)).toBe(isProgram);
  });

  it.each([
    ['the answer page', 'control', '/submit'],
    ['the viewer', 'view', '/'],
  ] as const)('%s serves pages too, by a name of this machine', async (_name, port, path) => {
    expect(await admits(ports[port], path, headers)).toBe(isLoopback);
  });
});
