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
  it('does not change digits in strings and floats', () => {
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
  it('parses hostile nesting without overflow and reports it as deep', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(parseJson(deep)).toMatchObject({ ok: true, deep: true });
    expect(parseJson('['.repeat(5000))).toEqual({ ok: false });
    const edge = '['.repeat(MAX_WRITTEN_DEPTH) + '"[[["' + ']'.repeat(MAX_WRITTEN_DEPTH);
    expect(parseJson(edge)).toMatchObject({ ok: true, deep: false });
  });
  it('rejects what is not JSON', () => {
    for (const text of ['', 'a=1', '{"a":1}{"b":2}', '{a:NaN}', 'NaNs'])
      expect(parseJson(text), text).toEqual({ ok: false });
  });
  it('round-trips every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (any) => {
        const text = JSON.stringify(any);
        expect(stringifyJson(value(text))).toBe(text);
      }),
    );
  });
});

describe('stringifyJson', () => {
  /** One way for every value: what the fast one must not differ from. */
  const slowly = (any: unknown, indent: number): unknown =>
    JSON.stringify(
      any,
      (_key, inner: unknown) => (typeof inner === 'bigint' ? RAW.rawJSON(inner.toString()) : inner),
      indent,
    );
  const RAW = JSON as unknown as { rawJSON(text: string): unknown };
  const result = (write: () => unknown): unknown => {
    try {
      return write();
    } catch (error) {
      return (error as Error).name;
    }
  };
  it('writes any value as a replacer would, with and without a bigint', () => {
    const odd = fc.anything({
      withBigInt: true,
      withDate: true,
      withBoxedValues: true,
      withNullPrototype: true,
      withMap: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    });
    const small = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.constant(undefined)));
    fc.assert(
      fc.property(fc.oneof(odd, small), fc.nat({ max: 3 }), (any, indent) => {
        expect(result(() => stringifyJson(any, indent))).toBe(result(() => slowly(any, indent)));
      }),
      { numRuns: 1000 },
    );
  });
  it('writes a bigint at any position', () => {
    const id = 2n ** 64n;
    expect(stringifyJson({ a: [1, { b: id }], toJSON: undefined, c: 'x' })).toBe(
      '{"a":[1,{"b":18446744073709551616}],"c":"x"}',
    );
    expect(stringifyJson(id)).toBe('18446744073709551616');
    expect(stringifyJson([id], 2)).toBe('[\n  18446744073709551616\n]');
  });
  it('throws on a cycle', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => stringifyJson(circle)).toThrow(TypeError);
  });
});

describe('setOwn', () => {
  it('treats __proto__ as a key', () => {
    const object: JsonObject = {};
    setOwn(object, '__proto__', 1);
    expect(Object.keys(object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
  it('makes every key an ordinary one, the names of methods too', () => {
    const names = ['a', 'constructor', 'toString', '__defineGetter__', '__proto__', '7'];
    for (const name of names) {
      const object: JsonObject = {};
      setOwn(object, name, 'old');
      setOwn(object, name, 'new');
      expect(Object.getOwnPropertyDescriptor(object, name), name).toEqual({
        value: 'new',
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  });
});
