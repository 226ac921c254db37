import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redactHeaders } from './redact.ts';

describe('redactHeaders', () => {
  it('keeps schemes, cookie names and harmless headers', () => {
    expect(
      redactHeaders({
        Authorization: 'Bearer abc.def',
        'proxy-authorization': 'opaque',
        Cookie: 'sid=1; theme=dark=2',
        'X-Api-Key': 'k',
        'X-CSRF-Token': 't',
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        'Access-Control-Request-Headers': 'authorization',
      }),
    ).toEqual({
      Authorization: 'Bearer [REDACTED]',
      'proxy-authorization': '[REDACTED]',
      Cookie: 'sid=[REDACTED]; theme=[REDACTED]',
      'X-Api-Key': '[REDACTED]',
      'X-CSRF-Token': '[REDACTED]',
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'Access-Control-Request-Headers': 'authorization',
    });
  });
  it('applies the same rule to a name every time', () => {
    const cases = fc.constantFrom(
      ['Cookie', 'a=1; b=2', 'a=[REDACTED]; b=[REDACTED]'],
      ['cookie', 'opaque', 'opaque'],
      ['Set-Cookie', 'a=1; Path=/', 'a=[REDACTED]; Path=/'],
      ['Authorization', 'Bearer t', 'Bearer [REDACTED]'],
      ['Authorization', 'opaque', '[REDACTED]'],
      ['X-Api-Key', 'k', '[REDACTED]'],
      ['x-api-keys', 'Bearer t', '[REDACTED]'],
      ['x-other', 'a=1; b=2', 'a=1; b=2'],
      ['constructor', 'k', 'k'],
      ['__proto__', 'k', 'k'],
    );
    fc.assert(
      fc.property(fc.array(cases, { maxLength: 30 }), (headers) => {
        for (const [name, value, expected] of headers)
          expect(Object.entries(redactHeaders(Object.fromEntries([[name, value]])))).toEqual([[name, expected]]);
      }),
    );
  });
  it('an unlimited number of names does not change a rule', () => {
    for (let n = 0; n < 2500; n++) {
      const long = `x-token-${String(n)}-${'x'.repeat(500)}`;
      const headers = { [`x-token-${String(n)}`]: 'k', [long]: 'k', Accept: '*/*' };
      expect(Object.values(redactHeaders(headers))).toEqual(['[REDACTED]', '[REDACTED]', '*/*']);
    }
  });
  it('accepts values that are not headers', () => {
    expect(redactHeaders(null)).toEqual({});
    expect(redactHeaders({ a: 1, b: ['x'], c: undefined })).toEqual({ a: '1', b: '["x"]', c: '' });
  });
});

describe('createRedactor', () => {
  const secret = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
  it('finds a secret in plain text, JSON, URLs and base64 at every alignment', () => {
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (value, before, after) => {
        const redact = createRedactor([value]);
        const base64 = Buffer.from(`${before}${value}${after}`).toString('base64');
        for (const text of [
          value,
          JSON.stringify(value),
          JSON.stringify(JSON.stringify(value)),
          encodeURIComponent(value),
          new URLSearchParams({ a: value }).toString(),
          base64,
        ]) {
          expect(redact(`x ${text} y`), text).toContain('[REDACTED]');
        }
        expect(redact(`${before}${value}${after}`)).not.toContain(value.trim() === '' ? '\0' : value);
      }),
    );
  });
  it('finds a non-ASCII secret in ASCII-only JSON', () => {
    expect(createRedactor(['pässwörd'])('{"p":"p\\u00e4ssw\\u00f6rd"}')).toBe('{"p":"[REDACTED]"}');
  });
  it('does not change text without secrets', () => {
    expect(createRedactor(['hunter22'])('a hunter and 22')).toBe('a hunter and 22');
    expect(createRedactor([])('x')).toBe('x');
  });
});
