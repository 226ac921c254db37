import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gatewayState, MODEL_CALLS_FILES, type AgentModel } from '../../../benchmark/protocol/model-gateway.ts';
import { reportFailure, reportReady } from '../../model-gateway/status-files.ts';
import { agentModelEnv, settledGatewayState, waitForModelGateway, watchModelGateway } from './model-gateway.ts';

const model: AgentModel = {
  baseUrl: 'http://127.0.0.1:4100/v1',
  apiType: 'openai-responses',
  thinkingLevel: null,
  temperature: 0,
  maxTokens: 100,
  config: {},
};
const folder = (): string => mkdtempSync(join(tmpdir(), 'model-calls-'));
const never = new AbortController().signal;
const putState = (directory: string, inFlight: number, refusals = {}): void => {
  const all = {
    v: 1,
    calls: 2,
    inFlight,
    tokens: 9,
    costUSD: null,
    estimated: 0,
    failures: {},
    refusals,
    lastFailure: null,
  };
  writeFileSync(join(directory, MODEL_CALLS_FILES.state), JSON.stringify(gatewayState.parse(all)));
};

it('waits until the gateway listens, and passes on the settings that it reports and no more', async () => {
  const directory = folder();
  const waiting = waitForModelGateway(directory, never);
  setTimeout(() => {
    reportReady(directory, model);
  }, 150);
  expect(agentModelEnv(await waiting)).toEqual({
    BASE_URL: 'http://127.0.0.1:4100/v1',
    API_TYPE: 'openai-responses',
    TEMPERATURE: '0',
    MAX_TOKENS: '100',
  });
});

it('does not wait for a gateway that cannot work, nor after its signal was aborted', async () => {
  const directory = folder();
  const stop = new AbortController();
  const waiting = waitForModelGateway(directory, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/);
  reportFailure(directory, 'the models file has no model m');
  await expect(waitForModelGateway(directory, never)).rejects.toThrow(
    'The model gateway cannot work: the models file has no model m.',
  );
});

it('reports its totals, and a failure in mid-run once', async () => {
  const directory = folder();
  const seen: string[] = [];
  const watch = watchModelGateway(directory, {
    onState: ({ refusals }) => seen.push(Object.keys(refusals).join()),
    onProblem: (message) => seen.push(message),
  });
  putState(directory, 0, { CallCap: 1 });
  await expect.poll(() => seen, { timeout: 3000 }).toContain('CallCap');
  reportFailure(directory, 'it died');
  await expect.poll(() => seen.at(-1), { timeout: 3000 }).toBe('The model gateway cannot work: it died.');
  expect(watch.state).toMatchObject({ refusals: { CallCap: 1 } });
  putState(directory, 0);
  await watch.settle();
  expect(watch.state).toMatchObject({ refusals: {} });
  watch.end();
});

it('waits for calls in flight, up to a limit', async () => {
  const directory = folder();
  expect(await settledGatewayState(directory)).toBeNull();
  putState(directory, 1);
  setTimeout(() => {
    putState(directory, 0);
  }, 200);
  expect(await settledGatewayState(directory)).toMatchObject({ inFlight: 0, tokens: 9 });
  putState(directory, 1);
  expect(await settledGatewayState(directory, 300)).toMatchObject({ inFlight: 1 });
});
