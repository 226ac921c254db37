import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_TYPES, type ApiType } from '../../benchmark/models/models-file.ts';
import { gatewayConfig, MODEL_CALLS_FILES } from '../../benchmark/protocol/model-gateway.ts';
import { parsePriceTable } from '../../benchmark/usage/price-table.ts';
import { startModelGateway, type ModelGateway } from '../../sidecar/model-gateway/server.ts';
import { ask, Refused } from './ask.ts';

/** The test harness, the gateway and the scripted provider of the cluster tests, without a cluster. */

const KEY = 'sk-provider-key';
let provider: ChildProcess;
let origin: string;

beforeAll(async () => {
  const script = join(import.meta.dirname, '../../test/e2e-cluster/scripted-provider.ts');
  const env = { ...process.env, PORT: '0', PROVIDER_KEY: KEY };
  provider = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: provider.stdout ?? process.stdin }), 'line')) as [string];
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  provider.kill();
});

interface Fixture {
  readonly gateway: ModelGateway;
  readonly directory: string;
  readonly log: string[];
  readonly say: (text: string, stream?: boolean) => Promise<string>;
}

const BASE: Readonly<Record<ApiType, string>> = {
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '',
  'google-generative-ai': '/v1beta',
};

async function openFixture(script: string, apiType: ApiType, caps = {}): Promise<Fixture> {
  const directory = mkdtempSync(join(tmpdir(), 'probe-'));
  const gateway = await startModelGateway({
    config: gatewayConfig.parse({ harness: 'probe', model: 'm', caps }),
    model: {
      name: 'm',
      baseUrl: `${origin}/${script}${BASE[apiType]}`,
      apiType,
      keys: [KEY],
      thinkingLevel: null,
      temperature: null,
      maxTokens: null,
    },
    prices: parsePriceTable('m: { input: 10, output: 50, cacheRead: 1 }'),
    port: 0,
    directory,
    log: pino({ enabled: false }),
  });
  const log: string[] = [];
  const access = { baseUrl: gateway.baseUrl, apiType, apiKey: 'clawbench', model: 'm' };
  const say = (text: string, stream = false): Promise<string> =>
    ask({ ...access, stream }, `say:${text}`, (line) => log.push(line));
  return { gateway, directory, log, say };
}

describe('a harness with the model gateway', () => {
  it.each(API_TYPES)('%s: gets an answer, and the usage is that of the provider', async (apiType) => {
    const { gateway, say } = await openFixture('ok', apiType);
    expect(await say('{"goto":"http://a.test/\\"x\\""}')).toBe('{"goto":"http://a.test/\\"x\\""}');
    await say('two');
    await gateway.close();
    // 60 plain at 10, 40 from the cache at 1, 20 out at 50 USD per million; twice.
    expect(gateway.state).toMatchObject({ calls: 2, tokens: 240, costUSD: 0.00328, estimated: 0 });
  });

  it('has the exact usage of a stream, even without asking for it', async () => {
    const { gateway, say } = await openFixture('ok', 'openai-completions');
    expect(await say('a stream of some length', true)).toBe('a stream of some length');
    await gateway.close();
    expect(gateway.state).toMatchObject({ calls: 1, tokens: 120, costUSD: 0.00164, estimated: 0 });
  });

  it('retries failures of the provider, and sees no key in them', async () => {
    const { gateway, directory, log, say } = await openFixture('flaky', 'openai-completions');
    expect(await say('at last')).toBe('at last');
    await gateway.close();
    expect(gateway.state).toMatchObject({ calls: 1, tokens: 120, failures: { RateLimit: 1, Server: 1 } });
    expect(log).toHaveLength(2);
    expect(`${log.join('\n')}${readFileSync(join(directory, MODEL_CALLS_FILES.calls), 'utf8')}`).not.toContain(KEY);
  });

  it('is refused permanently at its limit', async () => {
    const { gateway, log, say } = await openFixture('ok', 'anthropic-messages', { calls: 1 });
    await say('one');
    await expect(say('two')).rejects.toThrow(Refused);
    await gateway.close();
    expect(log).toHaveLength(1);
    expect(gateway.state).toMatchObject({ calls: 1, refusals: { CallCap: 1 } });
  });
});
