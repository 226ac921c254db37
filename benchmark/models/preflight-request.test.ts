import { describe, expect, it } from 'vitest';
import { API_TYPES } from './models-file.ts';
import { geminiUrl, preflightAnswered, preflightRequest, PREFLIGHT_SHAPES } from './preflight-request.ts';

const model = (apiType: (typeof API_TYPES)[number]): Parameters<typeof preflightRequest>[0] => ({
  name: 'm',
  baseUrl: 'https://h',
  apiType,
});

describe('preflightRequest', () => {
  it.each(API_TYPES)('%s: the second shape allows 16 tokens and sends no temperature', (apiType) => {
    const [small, roomy] = PREFLIGHT_SHAPES.map((shape) =>
      JSON.stringify(preflightRequest(model(apiType), 'k', shape)),
    );
    expect(small).toMatch(/okens":4/i);
    expect(roomy).toMatch(/okens":16/i);
    expect(roomy).not.toContain('temperature');
  });
  it('sends the key where each API expects it', () => {
    const at = API_TYPES.map((apiType) => preflightRequest(model(apiType), 'K'));
    expect(at.map((one) => one?.headers)).toEqual([
      { authorization: 'Bearer K' },
      { authorization: 'Bearer K' },
      { 'x-api-key': 'K', 'anthropic-version': '2023-06-01' },
      {},
    ]);
    expect(at[3]?.url).toBe('https://h/v1beta/models/m:generateContent?key=K');
  });
  it('supports no other API type', () => {
    expect(preflightRequest({ ...model('openai-completions'), apiType: 'smtp' as never }, 'k')).toBeNull();
  });
});

it.each([
  ['https://h', 'https://h/v1beta/models/m'],
  ['https://h/', 'https://h/v1beta/models/m'],
  ['https://h/v1', 'https://h/v1/models/m'],
  ['https://h/v1alpha', 'https://h/v1alpha/models/m'],
  ['https://h/proxy', 'https://h/proxy/v1beta/models/m'],
])('the address below %s', (base, start) => {
  expect(geminiUrl(base, 'm', 'a b')).toBe(`${start}:generateContent?key=a%20b`);
});

it.each([
  ['openai-completions', { choices: [{}] }, true],
  ['openai-completions', { choices: [] }, false],
  ['openai-completions', { error: {} }, false],
  ['openai-responses', { output: [], output_text: 'OK' }, true],
  ['anthropic-messages', { content: [{}] }, true],
  ['google-generative-ai', { candidates: 'x' }, true],
  ['smtp', { content: [{}] }, false],
  ['openai-completions', 'choices', false],
])('%s answering %j: %s', (apiType, reply, answered) => {
  expect(preflightAnswered(apiType, reply)).toBe(answered);
});
