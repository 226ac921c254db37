import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WRITTEN_DEPTH, parseJson, setOwn, stringifyJson, type JsonObject } from './json.ts';

const value = (text: string): unknown => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error('did not parse');
  return parsed.value;
};

describe('parseJson', () => {
  it('keeps integers above 2^53 exactly and writes them back', () => {
    const text = '{"id":9007199254740993,"list":[-12345678901234567890,7]}';
    expect(value(text)).toEqual({ id: 9007199254740993n, list: [-12345678901234567890n, 7] });
    expect(stringifyJson(value(text))).toBe(text);
  });
  it('leaves digits in strings and floats alone', () => {
    expect(value('{"a":"9007199254740993","b":0.12345678901234567}')).toEqual({
      a: '9007199254740993',
      b: 0.12345678901234567,
    });
  });
  it('reads what Python writes: NaN and Infinity outside strings', () => {
    expect(value('{"a":NaN,"b":[-Infinity],"c":"NaN \\" Infinity"}')).toEqual({
      a: NaN,
      b: [-Infinity],
      c: 'NaN " Infinity',
    });
    expect(stringifyJson(value('[NaN]'))).toBe('[null]');
  });
  it('parses hostile nesting without overflowing and says that it is deep', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(parseJson(deep)).toMatchObject({ ok: true, deep: true });
    expect(parseJson('['.repeat(5000))).toEqual({ ok: false });
    const edge = '['.repeat(MAX_WRITTEN_DEPTH) + '"[[["' + ']'.repeat(MAX_WRITTEN_DEPTH);
    expect(parseJson(edge)).toMatchObject({ ok: true, deep: false });
  });
  it('refuses what is no JSON', () => {
    for (const text of ['', 'a=1', '{"a":1}{"b":2}', '{a:NaN}', 'NaNs'])
      expect(parseJson(text), text).toEqual({ ok: false });
  });
  it('gives back every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (any) => {
        const text = JSON.stringify(any);
        expect(stringifyJson(value(text))).toBe(text);
      }),
    );
  });
});

describe('setOwn', () => {
  it('treats __proto__ as a key', () => {
    const object: JsonObject = {};
    setOwn(object, '__proto__', 1);
    expect(Object.keys(object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
