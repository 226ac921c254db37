import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../text/json.ts';
import { createRedactor } from './redact.ts';
import { longestSpelling, MIN_SECRET_LENGTH } from './secret-pattern.ts';

/** Of what provider keys, passwords and pass phrases consist, the awkward ones included. */
const secret = fc
  .string({
    unit: fc.constantFrom(...'abcXYZ019-_./+=~!*\'()"\\<>&%#?@:;, ü€😀'),
    minLength: 8,
    maxLength: 40,
  })
  .filter((value) => new Set(value.trim()).size > 3 && value.trim().length >= 8);
const around = fc.constantFrom('', '\n', '\r\n', ' ', '\t', '\n\n', ' \r\n');
const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
const ascii = (json: string): string =>
  json.replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How writers of logs, pages and requests spell a value. */
const SPELLINGS: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
  'json in json': (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  'ascii json': (value) => ascii(JSON.stringify(value).slice(1, -1)),
  'ascii json, capitals': (value) =>
    ascii(JSON.stringify(value).slice(1, -1)).replace(/\\u[0-9a-f]{4}/g, (it) => `\\u${it.slice(2).toUpperCase()}`),
  "Go's json": (value) =>
    JSON.stringify(value)
      .slice(1, -1)
      .replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  "PHP's json": (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  url: encodeURIComponent,
  'url, lower case': (value) => lower(encodeURIComponent(value)),
  'url, strict': (value) =>
    encodeURIComponent(value).replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  form: (value) => new URLSearchParams({ a: value }).toString().slice(2),
  'form, lower case': (value) => lower(new URLSearchParams({ a: value }).toString().slice(2)),
  'url in a url': (value) => encodeURIComponent(encodeURIComponent(value)),
  path: (value) => encodeURI(value),
  'html text': (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  "Python's html": (value) =>
    ['&|amp', '<|lt', '>|gt', '"|quot', "'|#x27"].reduce((text, pair) => {
      const [char = '', name = ''] = pair.split('|');
      return text.replaceAll(char, `&${name};`);
    }, value),
  'html, decimal': (value) => value.replace(/[^a-zA-Z0-9]/gu, (char) => `&#${String(char.codePointAt(0))};`),
  'html, hexadecimal': (value) =>
    value.replace(/[^a-zA-Z0-9]/gu, (char) => `&#x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()};`),
};

describe('a secret', () => {
  it.each(Object.entries(SPELLINGS))('is found as %s, with and without surrounding whitespace', (_name, spell) => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const redact = createRedactor([before + value + after]);
        expect(redact(`x=${spell(value.trim())};`)).toBe('x=[REDACTED];');
        expect(redact(`x=${spell(before + value + after)};`)).not.toContain(spell(value.trim()));
      }),
    );
  });

  it('is found in base64 at each alignment, in both alphabets, and in URLs', () => {
    const spellings = [
      (text: string): string => text,
      (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_'),
      encodeURIComponent,
      (text: string): string => text.replaceAll('/', '\\/'),
    ];
    fc.assert(
      fc.property(
        secret,
        fc.string({ maxLength: 4 }),
        fc.string({ maxLength: 4 }),
        around,
        (value, left, right, end) => {
          const redact = createRedactor([value + end]);
          for (const spell of spellings) {
            const text = spell(Buffer.from(`${left}${value.trim()}${right}`).toString('base64'));
            const clean = redact(text);
            expect(clean, text).toContain('[REDACTED]');
            // What is left beside it is what stands beside the secret, and at most its outermost bytes' bits.
            expect(clean.length - '[REDACTED]'.length).toBeLessThanOrEqual(
              3 * (Math.ceil((Buffer.byteLength(left + right) * 8) / 6) + 6),
            );
          }
        },
      ),
    );
  });

  it('of several lines is found line by line, and PEM markers are kept', () => {
    const body = Array.from({ length: 4 }, (_, line) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCline${String(line)}/+`);
    const pem = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----', ''].join('\n');
    for (const ending of ['\n', '\r\n']) {
      const redact = createRedactor([pem.replaceAll('\n', ending)]);
      for (const line of body) {
        expect(redact(`log: ${line}`)).toBe('log: [REDACTED]');
        expect(redact(JSON.stringify({ line }))).toBe('{"line":"[REDACTED]"}');
        expect(redact(`k=${encodeURIComponent(line)}`)).toBe('k=[REDACTED]');
        expect(redact(Buffer.from(`  ${line}`).toString('base64'))).toContain('[REDACTED]');
      }
      expect(redact(`  ${body.join('\n  ')}`)).toBe(`  ${body.map(() => '[REDACTED]').join('\n  ')}`);
      expect(redact('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----');
      for (const text of [pem, JSON.stringify(pem), JSON.stringify(JSON.stringify(pem)), encodeURIComponent(pem)]) {
        for (const line of body) expect(redact(text)).not.toContain(line);
      }
    }
  });

  it('inside a JSON document is found with escaped line breaks', () => {
    const document = JSON.stringify({ type: 'service_account', private_key: 'firstlineoflock\nsecondlineoflock\n' });
    const redact = createRedactor([document]);
    expect(redact('secondlineoflock')).toBe('[REDACTED]');
  });

  const page = JSON.stringify(
    { url: 'https://x.test/a?b=c', list: [1, true, null, 'aaaa'], text: 'a  b\n\n\n\n    c ---- ====' },
    null,
    4,
  );
  it.each([
    '',
    'a',
    ' a \n',
    'tru',
    '\n\n\n\n',
    '    ',
    'ab\n\n\n\n',
    'a\nb\nc\nd',
    '----',
    '====\n',
    'aaaa',
    '\t\t\t\t',
  ])('that is too short or one repeated character is not redacted: %j', (value) => {
    expect(createRedactor([value])(page)).toBe(page);
  });
  it('of few visible characters never redacts a whole file', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'e', '"', '{', ' ', '\n', '\r'), maxLength: 30 });
    fc.assert(
      fc.property(
        few.filter((value) => value.split(/[\r\n]/).every((line) => line.trim().length < MIN_SECRET_LENGTH)),
        (value) => createRedactor([value])(page) === page,
      ),
    );
  });

  it('leaves JSON readable', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./+='), minLength: 8 }), (value) => {
        const text = createRedactor([`${value}\n`])(JSON.stringify({ a: [value, `${value}\n`], b: { value } }));
        expect(parseJson(text).ok).toBe(true);
        if (new Set(value).size > 1) expect(text).not.toContain(value);
      }),
    );
  });
});

it('returns the length of the longest encoding', () => {
  fc.assert(
    fc.property(secret, (value) => {
      for (const spell of Object.values(SPELLINGS)) {
        expect(longestSpelling(value)).toBeGreaterThanOrEqual(Buffer.byteLength(spell(value.trim())));
      }
    }),
  );
  expect(longestSpelling('a')).toBe(0);
});

it.each(['\\', '&amp;', '%25', '"', '\\"', '+ ', '<', 'ab '])('hostile text costs linear time: %s', (part) => {
  const redact = createRedactor([`${part.repeat(20)}secret`]);
  const started = Date.now();
  redact(part.repeat(50_000));
  expect(Date.now() - started).toBeLessThan(5000);
});
