import { describe, expect, it, test } from 'vitest';
import { decodeBody } from './body.ts';
import { PatternError } from './url-pattern.ts';
import { compileTarget, EvalSchemaError } from './predicate.ts';

const post = (url: string): { url: string; method: string } => ({ url, method: 'POST' });

describe('the head decides', () => {
  const target = compileTarget({ url_pattern: 'shop\\.test/api/buy', method: 'POST' });
  it.each([
    'https://shop.test/api/buy',
    'https://SHOP.test/api/buy',
    'https://user:secret@shop.test/api/buy',
    'https://shop.test./api/buy',
    'https://shop.test:443/api/buy',
    'https://shop.test//api//buy',
    'https://shop.test/%61pi/bu%79',
    'https://shop.test/x/../api/buy',
    'https://shop.test/api/buy#later',
  ])('%s is the target', (url) => {
    expect(target.matchesHead(post(url))).toBe(true);
    expect(target.matches(post(url))).toBe('match');
  });
  it.each([
    'https://shop.test/api/bux',
    'https://shop.test/api%2Fbuy',
    'https://shop.test:8443/api/buy',
    'about:blank',
    '',
  ])('%s is not', (url) => {
    expect(target.matchesHead(post(url))).toBe(false);
    expect(target.matches(post(url))).toBe('no-match');
  });
  it('the method counts without case, since fetch puts only six methods in capitals', () => {
    expect(target.matchesHead({ url: 'https://shop.test/api/buy', method: 'post' })).toBe(true);
    expect(target.matchesHead({ url: 'https://shop.test/api/buy', method: 'PUT' })).toBe(false);
    const patch = compileTarget({ url_pattern: 'buy', method: 'patch' });
    for (const method of ['patch', 'PATCH', 'Patch'])
      expect(patch.matchesHead({ url: 'https://x.test/buy', method })).toBe(true);
  });
  it('the method does not count when the schema leaves it empty', () => {
    expect(
      compileTarget({ url_pattern: 'buy', method: '' }).matchesHead({ url: 'https://x.test/buy', method: 'PUT' }),
    ).toBe(true);
  });
  it('a schema without a method, or with none, takes every method', () => {
    for (const schema of [{ url_pattern: 'buy' }, { url_pattern: 'buy', method: 5 }]) {
      expect(compileTarget(schema).matchesHead({ url: 'https://x.test/buy', method: 'PUT' })).toBe(true);
    }
  });
  it('without a params filter any query will do', () => {
    expect(compileTarget({ url_pattern: '/hit', params: {} }).matches(post('https://x.test/hit?id=7'))).toBe('match');
  });
  it('says whether it is armed, whether it needs the body, and which schema it was made from', () => {
    const schema = { url_pattern: '/hit', body: { a: 1 } };
    expect(compileTarget(schema)).toMatchObject({ schema, armed: true, needsBody: true });
    expect(compileTarget({ url_pattern: '/hit', body: {} })).toMatchObject({ armed: true, needsBody: false });
    expect(compileTarget({ url_pattern: null, body: { a: 1 } })).toMatchObject({ armed: false, needsBody: false });
    expect(compileTarget(undefined).schema).toBeNull();
  });
  it('a params filter is part of the head', () => {
    const filtered = compileTarget({ url_pattern: '/hit', method: 'GET', params: { id: '5' } });
    expect(filtered.needsBody).toBe(false);
    expect(filtered.matches({ url: 'https://x.test/hit?id=5', method: 'GET' })).toBe('match');
    expect(filtered.matches({ url: 'https://x.test/hit?id=6', method: 'GET' })).toBe('no-match');
  });
  it.each([null, undefined, {}, { url_pattern: '' }])('without a pattern (%j) nothing is armed', (schema) => {
    const none = compileTarget(schema);
    expect(none.armed).toBe(false);
    expect(none.matches(post('https://x.test/'))).toBe('no-match');
  });
});

describe('a body filter', () => {
  const target = compileTarget({ url_pattern: '/graphql', method: 'POST', body: { operationName: 'Buy' } });
  const match = (text: string, status: 'complete' | 'truncated' = 'complete'): string =>
    target.matches({
      ...post('https://x.test/graphql'),
      body: decodeBody({ bytes: new TextEncoder().encode(text), status }),
    });
  it('needs the body', () => {
    expect(target.needsBody).toBe(true);
    expect(target.matchesHead(post('https://x.test/graphql'))).toBe(true);
  });
  it('matches or not when the body is whole', () => {
    expect(match('{"operationName":"Buy"}')).toBe('match');
    expect(match('{"operationName":"Look"}')).toBe('no-match');
    expect(target.matches({ ...post('https://x.test/graphql'), body: decodeBody({ status: 'none' }) })).toBe(
      'no-match',
    );
  });
  it('is unknown, never false, when the body is not all there', () => {
    expect(target.matches(post('https://x.test/graphql'))).toBe('unknown');
    expect(target.matches({ ...post('https://x.test/graphql'), body: decodeBody({ status: 'unavailable' }) })).toBe(
      'unknown',
    );
    expect(match('{"operationName":"Look","x":"', 'truncated')).toBe('unknown');
    expect(match('{"operationName":"Buy"}', 'truncated')).toBe('match');
  });
  it('elsewhere the missing body does not matter', () => {
    expect(target.matches(post('https://x.test/other'))).toBe('no-match');
  });
});

describe('a schema that cannot be used is refused before the run', () => {
  it('by field', () => {
    expect(() => compileTarget({ url_pattern: '(', method: 'POST' })).toThrow(PatternError);
    expect(() => compileTarget({ url_pattern: 5 })).toThrow(EvalSchemaError);
    const fieldOf = (schema: object): unknown => {
      try {
        compileTarget(schema);
      } catch (error) {
        return error;
      }
      return null;
    };
    const name = 'EvalSchemaError';
    expect(fieldOf({ url_pattern: 5 })).toMatchObject({
      name,
      field: '/eval_schema/url_pattern',
      message: expect.stringContaining('must be a string'),
    });
    expect(fieldOf({ url_pattern: 'x', body: 'text' })).toMatchObject({ name, field: '/eval_schema/body' });
    expect(fieldOf({ url_pattern: 'x', params: [1] })).toMatchObject({ name, field: '/eval_schema/params' });
    expect(() => compileTarget({ url_pattern: 'x', body: 'text' })).toThrow(/eval_schema\.body/);
    expect(() => compileTarget({ url_pattern: 'x', params: [1] })).toThrow(/eval_schema\.params/);
  });
});

describe('a pattern as a person spells it', () => {
  it.each([
    ['^https://bücher\\.example/order$', 'https://xn--bcher-kva.example/order'],
    ['^https://shop\\.example/оформить$', 'https://shop.example/%D0%BE%D1%84%D0%BE%D1%80%D0%BC%D0%B8%D1%82%D1%8C'],
    ['^https://shop\\.example/%d0%be$', 'https://shop.example/%D0%BE'],
    ['^https://shop\\.example/%D0%BE$', 'https://shop.example/%d0%be'],
    ['^https://shop\\.example:443/order$', 'https://shop.example/order'],
    ['^https://shop\\.example/order$', 'https://shop.example/order?'],
    ['^https://shop\\.example/orders/\\{id\\}/pay$', 'https://shop.example/orders/%7Bid%7D/pay'],
    ['^https://shop\\.example/a b$', 'https://shop.example/a%20b'],
  ])('%s is met by %s', (pattern, url) => {
    expect(compileTarget({ url_pattern: pattern }).matchesHead({ url, method: 'GET' })).toBe(true);
  });
  it.each([
    ['^https://shop\\.example:443/order$', 'https://shop.example:8443/order'],
    ['^https://shop\\.example/order$', 'https://shop.example/order?x'],
    ['^https://bücher\\.example/order$', 'https://xn--bchr-kva.example/order'],
    ['^https://shop\\.example/a/b$', 'https://shop.example/a%2Fb'],
  ])('%s is not met by %s', (pattern, url) => {
    expect(compileTarget({ url_pattern: pattern }).matchesHead({ url, method: 'GET' })).toBe(false);
  });
});

test('a query value that is sent twice is neither value, as upstream has it', () => {
  const target = compileTarget({ url_pattern: 'buy', params: { id: '5' } });
  const meets = (query: string): boolean => target.matchesHead({ url: `https://x.test/buy?${query}`, method: 'GET' });
  expect([meets('id=5&id=5'), meets('id=5'), meets('id=5&id=6')]).toEqual([false, true, false]);
});
