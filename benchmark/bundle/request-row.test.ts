import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../text/json.ts';
import { isLogged, requestLogRow, type LoggedRequest } from './request-row.ts';

const aRequest = (more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  at: 1_700_000_000_250,
  url: 'https://x.test/p?a=1&b=',
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t' },
  resourceType: 'Fetch',
  body: new TextEncoder().encode('{"id":9007199254740993}'),
  bodyStatus: 'complete',
  ...more,
});

describe('requestLogRow', () => {
  it("has upstream's fields in upstream's order, credentials redacted", () => {
    expect(stringifyJson(requestLogRow(aRequest()))).toBe(
      '{"timestamp":1700000000.25,"url":"https://x.test/p?a=1&b=","method":"POST",' +
        '"headers":{"Content-Type":"application/json","Authorization":"Bearer [REDACTED]"},' +
        '"body":{"id":9007199254740993},"query_params":{"a":"1"},"resource_type":"Fetch"}',
    );
  });
  it('has null and Other for unknown values', () => {
    const row = requestLogRow(aRequest({ body: undefined, bodyStatus: 'none', resourceType: '' }));
    expect(row).toMatchObject({ body: null, resource_type: 'Other' });
    expect(row).not.toHaveProperty('body_status');
  });
  it('declares an incomplete body', () => {
    expect(requestLogRow(aRequest({ body: undefined, bodyStatus: 'unavailable' })).body_status).toBe('unavailable');
  });
});

describe('isLogged', () => {
  it.each([
    ['http://127.0.0.1:7878/submit', false],
    ['http://localhost:7878/api/status', false],
    ['chrome-extension://x/y.js', false],
    ['devtools://devtools/x', false],
    ['chrome://newtab/', false],
    ['http://127.0.0.1:8000/', true],
    ['https://x.test/?u=http://127.0.0.1:7878', true],
  ])('%s: %s', (url, logged) => {
    expect(isLogged(url)).toBe(logged);
  });
  it("follows the control API's port", () => {
    expect(isLogged('http://127.0.0.1:9000/submit', 9000)).toBe(false);
    expect(isLogged('http://127.0.0.1:7878/submit', 9000)).toBe(true);
  });
});
