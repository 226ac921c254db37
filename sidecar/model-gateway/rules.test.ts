import { describe, expect, it } from 'vitest';
import { endpointOf, modelInPath } from './endpoint.ts';
import { failureOfError } from './provider-failure.ts';
import { keyRing } from './keys.ts';
import { isOpenRouter } from '../../benchmark/usage/price.ts';
import { outgoingBody, outgoingQuery } from './outgoing-request.ts';

describe('endpointOf', () => {
  it.each([
    ['POST', '/chat/completions', '', 'openai-completions'],
    ['POST', '/api/v1/chat/completions', '/api/v1', 'openai-completions'],
    ['POST', '/v1beta/openai/chat/completions', '', 'openai-completions'],
    ['POST', '/v1/responses', '/v1', 'openai-responses'],
    ['POST', '/v1/messages', '', 'anthropic-messages'],
    ['POST', '/v1/messages/count_tokens', '', null],
    ['POST', '/v1beta/models/g-1.5:streamGenerateContent', '', 'google-generative-ai'],
    ['POST', '/v1beta/models/g:generateContent', '/v1beta', 'google-generative-ai'],
    ['GET', '/v1/models', '/v1', null],
    ['GET', '/v1/models/z-ai/glm', '/v1', null],
  ])('%s %s below %j', (method, path, base, billed) => {
    expect(endpointOf(method, path, base)).toEqual({ billed });
  });
  it.each([
    ['GET', '/v1/chat/completions', '/v1'],
    ['POST', '/v1x/chat/completions', '/v1'],
    ['POST', '/v1/models/m:predict', '/v1'],
    ['GET', '/v1/models/m:generateContent', '/v1'],
  ])('refuses %s %s', (method, path, base) => {
    expect(endpointOf(method, path, base)).toBeNull();
  });
});

it.each([
  ['/v1beta/models/g-1.5:streamGenerateContent', 'g-1.5'],
  ['/v1/models/g', null],
  ['/v1/chat/completions', null],
])('the model that %s names is %s', (path, model) => {
  expect(modelInPath(path)).toBe(model);
});

describe('keyRing', () => {
  it('skips a key for as long as the provider asked, and takes the one that is ready first when none is', () => {
    const ring = keyRing(['a', 'b']);
    expect([ring.next(0), ring.next(0), ring.next(0)]).toEqual([0, 1, 0]);
    ring.failed(1, 'RateLimit', 0, 5000);
    expect([ring.next(1), ring.next(1), ring.next(5000)]).toEqual([0, 0, 1]);
    ring.failed(0, 'Auth', 5000, null);
    ring.failed(1, 'RateLimit', 5000, null);
    expect([ring.next(5001), ring.next(5001)]).toEqual([1, 1]);
  });
  it('does not skip a key for a failure that is not its fault', () => {
    const ring = keyRing(['a']);
    ring.failed(0, 'Server', 0, null);
    expect(ring.next(1)).toBe(0);
  });
});

it('leaves a body unchanged unless it is a chat stream that reports no usage', () => {
  const same = (value: object, apiType: Parameters<typeof outgoingBody>[1]): boolean => {
    const bytes = Buffer.from(JSON.stringify(value));
    return outgoingBody(bytes, apiType, true).bytes === bytes;
  };
  expect(same({ stream: true }, 'openai-responses')).toBe(true);
  expect(same({ stream: false }, 'openai-completions')).toBe(true);
  expect(same({ stream: true, stream_options: { include_usage: true } }, 'openai-completions')).toBe(true);
  expect(same({ stream: true }, 'openai-completions')).toBe(false);
  expect(outgoingBody(Buffer.from('no json'), 'openai-completions', true).usageAsked).toBe(false);
  expect(
    outgoingBody(Buffer.from(JSON.stringify({ a: `data:image/png;base64,${'A'.repeat(9999)}` })), null, true)
      .characters,
  ).toBe(8);
});

it('removes keys from the query and recognizes OpenRouter by its host', () => {
  expect([outgoingQuery('key=1&alt=sse'), outgoingQuery('key=1'), outgoingQuery('')]).toEqual(['?alt=sse', '', '']);
  expect([isOpenRouter('https://openrouter.ai/api/v1'), isOpenRouter('https://openrouter.ai.example/v1')]).toEqual([
    true,
    false,
  ]);
});

it('distinguishes a timeout from a lost connection', () => {
  expect(failureOfError({ code: 'UND_ERR_HEADERS_TIMEOUT' })).toBe('Timeout');
  expect(failureOfError(new Error('x'))).toBe('Network');
});
