import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi, type MockInstance } from 'vitest';
import { decodeBody, MAX_DECODED_BYTES, type DecodedBody } from './body.ts';
import { stringifyJson } from '../text/json.ts';
import { writableBody } from '../bundle/request-row.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (body: string | Uint8Array, headers: Record<string, string> = {}): DecodedBody =>
  decodeBody({ bytes: typeof body === 'string' ? bytes(body) : body, status: 'complete', headers });
const typed = (type: string, body: string | Uint8Array): DecodedBody => decode(body, { 'Content-Type': type });

describe('by content type', () => {
  it.each([
    ['application/json', '{"a":1}', { a: 1 }, 'json'],
    ['application/vnd.api+json; charset=utf-8', '[1]', [1], 'json'],
    ['application/x-www-form-urlencoded', 'a=1&a=2&b=', { a: ['1', '2'], b: '' }, 'form'],
    ['application/x-www-form-urlencoded', '{"a":1}', { a: 1 }, 'json'],
    ['application/json', 'a=1', { a: '1' }, 'form'],
    ['text/plain;charset=UTF-8', '{"a":1}', { a: 1 }, 'json'],
    ['text/plain', '_action=send&_to=a%40b.c', { _action: 'send', _to: 'a@b.c' }, 'form'],
    ['text/plain', 'I would like = two pears', 'I would like = two pears', 'text'],
    ['', 'plain text', { 'plain text': '' }, 'form'],
    ['', '&', '&', 'text'],
    ['application/json', '\uFEFF{"a":1}', { a: 1 }, 'json'],
  ])('%s: %s', (type, body, fields, form) => {
    expect(typed(type, body)).toMatchObject({ fields, form, status: 'complete' });
  });
  it('reads other charsets, and UTF-8 where the label is nonsense', () => {
    expect(typed('application/json; charset=iso-8859-1', new Uint8Array([0x22, 0xe9, 0x22])).fields).toBe('é');
    expect(typed('application/json; charset=klingon', '"é"').fields).toBe('é');
  });
  it('describes bytes that are no text', () => {
    const body = typed('application/x-protobuf', new Uint8Array([0x0a, 0xff, 0xfe]));
    expect(body).toMatchObject({
      form: 'binary',
      text: null,
      fields: { content_type: 'application/x-protobuf', size: 3 },
    });
  });
  it('has null for no body, and keeps the reason why', () => {
    expect(decodeBody({ status: 'none' })).toMatchObject({ status: 'none', fields: null, bytes: null });
    expect(decodeBody({ status: 'unavailable' })).toMatchObject({ status: 'unavailable', fields: null });
    expect(decodeBody({ bytes: new Uint8Array(), status: 'complete' }).status).toBe('none');
  });
});

describe('by content encoding', () => {
  const json = '{"operationName":"Buy"}';
  it.each([
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['deflate', deflateRawSync(json)],
    ['br', brotliCompressSync(json)],
    ['zstd', zstdCompressSync(json)],
    ['gzip, br', brotliCompressSync(gzipSync(json))],
    ['', gzipSync(json)],
  ])('%j is undone', (encoding, body) => {
    expect(decode(body, { 'content-encoding': encoding, 'content-type': 'text/plain' }).fields).toEqual({
      operationName: 'Buy',
    });
  });
  it('a body that cannot be undone is not whole: a filter on it is unknown', () => {
    const body = decode('not gzip', { 'content-encoding': 'gzip' });
    expect(body.status).toBe('truncated');
    expect(body.notes[0]).toContain('gzip');
    expect(decode('{}', { 'content-encoding': 'lzma' }).status).toBe('truncated');
  });
  it.each(['constructor', '__proto__', 'toString'])('an encoding that is called %s is not known', (encoding) => {
    expect(decode('{}', { 'content-encoding': encoding }).status).toBe('truncated');
  });
  it('a bomb stays small', () => {
    const body = decode(gzipSync(new Uint8Array(MAX_DECODED_BYTES * 4)), { 'content-encoding': 'gzip' });
    expect(body.status).toBe('truncated');
    expect(body.notes).toHaveLength(1);
  });
});

/** How often `work` calls a method, by what its arguments are: wall times would say how busy the machine is. */
function countCalls(spy: MockInstance, work: () => unknown, counts: (args: unknown[]) => boolean = () => true): number {
  work();
  const { calls } = spy.mock;
  spy.mockRestore();
  return calls.filter(counts).length;
}

describe('large bodies take the fast way', () => {
  const exactReadings = (body: string): number =>
    countCalls(
      vi.spyOn(JSON, 'parse'),
      () => typed('application/json', body),
      ([, reviver]) => reviver !== undefined,
    );
  it('a price with many decimals is no integer that needs the slow one', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => ({ id: n, price: n / 7, at: -n / 3, list: [n / 11, n / 13] }));
    const text = JSON.stringify({ op: 'look', rows });
    expect(text).toMatch(/\d\.\d{16}/);
    expect(exactReadings(text)).toBe(0);
    expect(exactReadings(text.replace('"op":"look"', '"op":12345678901234567890'))).toBe(1);
  });
  it('so is a form of good escapes', () => {
    const readings = (body: string): number =>
      countCalls(vi.spyOn(TextDecoder.prototype, 'decode'), () => typed('', body));
    const pairs = Array.from({ length: 1000 }, (_, n): [string, string] => [`k${n}`, 'é à+%'.repeat(3)]);
    // The body itself is decoded, and nothing after it; a value of bad escapes is decoded by itself.
    expect(readings(new URLSearchParams(pairs).toString())).toBe(1);
    expect(readings('a=%C3%A9&b=%FF')).toBe(2);
  });
});

describe('hostile bodies', () => {
  it('deep nesting is matched as parsed and written as text', () => {
    const text = `{"a":1,"b":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const body = typed('application/json', text);
    expect(body.deep).toBe(true);
    expect((body.fields as { a: number }).a).toBe(1);
    expect(writableBody(body)).toBe(text);
  });
  it('any bytes under any headers decode to something that can be written', () => {
    const type = fc.constantFrom(
      '',
      'application/json',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'text/plain; charset=utf-16',
    );
    const encoding = fc.constantFrom('', 'gzip', 'br', 'deflate', 'identity', 'gzip,gzip');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), type, encoding, (raw, contentType, contentEncoding) => {
        const body = decode(raw, { 'content-type': contentType, 'content-encoding': contentEncoding });
        expect(() => stringifyJson(writableBody(body))).not.toThrow();
      }),
    );
  });
  it('any form survives the way through a browser', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), { minLength: 1 }),
        (pairs) => {
          const wellFormed = pairs.map(([name, value]) => [`k${name}`, value] as [string, string]);
          const text = new URLSearchParams(wellFormed).toString();
          const fields = typed('application/x-www-form-urlencoded', text).fields as Record<string, string | string[]>;
          for (const [name, value] of wellFormed) expect([fields[name]].flat()).toContain(value);
        },
      ),
    );
  });
});
