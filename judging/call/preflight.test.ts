import { afterEach, describe, expect, it } from 'vitest';
import { API_TYPES } from '../../benchmark/models/models-file.ts';
import {
  aModel,
  openEndpoint,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  type EndpointCall,
} from './endpoint.fixture.ts';
import { preflight, type Preflight } from './preflight.ts';

let endpoint: ScriptedEndpoint | undefined;
afterEach(() => endpoint?.close());

async function tried(
  answer: (seen: EndpointCall, place: number) => ScriptedAnswer,
  apiType: (typeof API_TYPES)[number] = 'openai-completions',
): Promise<{ found: Preflight; seen: readonly EndpointCall[] }> {
  endpoint = await openEndpoint(answer);
  return { found: await preflight(aModel(endpoint.base, { apiType })), seen: endpoint.seen };
}

const ANSWERS = {
  'openai-completions': { choices: [{ message: { content: '' } }] },
  'openai-responses': { output: [{ type: 'reasoning' }] },
  'anthropic-messages': { content: [{ type: 'text', text: 'OK' }] },
  'google-generative-ai': { candidates: [{}] },
} as const;

describe('the preflight call', () => {
  it.each(API_TYPES)('%s: one small call at the address that agents use', async (apiType) => {
    const { found, seen } = await tried(() => ({ body: ANSWERS[apiType] }), apiType);
    expect(found).toEqual({ state: 'Ready' });
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen[0]?.body)).toMatch(/okens":4/i);
  });
  it.each(API_TYPES)('%s: a model that refuses so few tokens is asked for more', async (apiType) => {
    const { found, seen } = await tried(
      (_one, place) => (place === 0 ? { status: 400 } : { body: ANSWERS[apiType] }),
      apiType,
    );
    expect(found).toEqual({ state: 'Ready' });
    expect(JSON.stringify(seen[1]?.body)).toMatch(/okens":16/i);
  });
  it.each([
    [401, 1],
    [402, 1],
    [403, 1],
    [404, 1],
    [400, 2],
  ])('HTTP %i refuses the model after %i calls, in a sentence without key or answer', async (status, calls) => {
    const { found, seen } = await tried(() => ({ status, body: { error: 'k1 is wrong' } }));
    expect(found).toEqual({ state: 'Refused', problem: `model jm answered HTTP ${String(status)}` });
    expect(seen).toHaveLength(calls);
  });
  it.each([429, 500, 503])('HTTP %i may pass, and refuses nothing', async (status) => {
    expect((await tried(() => ({ status }))).found.state).toBe('Away');
  });
  it('a response of another API refuses the model: its base URL or API type is wrong', async () => {
    for (const raw of ['<html>welcome</html>', '{"models": []}']) {
      const { found } = await tried(() => ({ raw }));
      expect(found).toEqual({
        state: 'Refused',
        problem: 'model jm does not answer in the format of openai-completions',
      });
      await endpoint?.close();
    }
  });
  it('a connection error is an outage that may pass', async () => {
    expect((await preflight(aModel('http://127.0.0.1:1/v1'))).state).toBe('Away');
  });
});
