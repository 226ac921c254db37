import { describe, expect, it } from 'vitest';
import { decodeBody, type DecodedBody } from './body.ts';
import { compileTarget } from './predicate.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const typed = (type: string, body: string | Uint8Array): DecodedBody =>
  decodeBody({
    bytes: typeof body === 'string' ? bytes(body) : body,
    status: 'complete',
    headers: { 'content-type': type },
  });

function judged(filter: object, body: DecodedBody): string {
  const target = compileTarget({ url_pattern: '/hit', method: 'POST', body: filter });
  return target.matches({ url: 'https://x.test/hit', method: 'POST', body });
}

const related = (first: string): string =>
  `--B\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${first}\r\n--B\r\nContent-Type: image/png\r\n\r\n\u0000\r\n--B--\r\n`;
const upload = (operations: string): string =>
  `--B\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${operations}\r\n--B\r\nContent-Disposition: form-data; name="0"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--B--`;
const batch = (inner: string): string =>
  `--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n--C\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST /Orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\r\n${inner}\r\n--C--\r\n--B--\r\n`;
const soap = (item: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="urn:s"><s:Body><o:PlaceOrder xmlns:o="urn:o" kind="gift"><o:item>${item}</o:item><o:phone>+49 30</o:phone></o:PlaceOrder></s:Body></s:Envelope>`;

describe('a filter sees what a server would see', () => {
  it.each([
    [
      'multipart/related, whose first part is JSON',
      'multipart/related; boundary=B',
      related('{"name":"Budget"}'),
      { name: 'Budget' },
    ],
    ['multipart/mixed', 'multipart/mixed; boundary=B', related('{"name":"Budget"}'), { name: 'Budget' }],
    [
      'a GraphQL upload',
      'multipart/form-data; boundary=B',
      upload('{"operationName":"PlaceOrder"}'),
      { operationName: 'PlaceOrder' },
    ],
    [
      'a batch of GraphQL uploads',
      'multipart/form-data; boundary=B',
      upload('[{"operationName":"Look"},{"operationName":"PlaceOrder"}]'),
      { operationName: 'PlaceOrder' },
    ],
    [
      'a form part that is JSON by its type',
      'multipart/form-data; boundary=B',
      '--B\r\nContent-Disposition: form-data; name="order"; filename="blob"\r\nContent-Type: application/json\r\n\r\n{"action":"buy"}\r\n--B--',
      { action: 'buy' },
    ],
    ['an OData batch', 'multipart/mixed; boundary=B', batch('{"Item":"pear"}'), { Item: 'pear' }],
    [
      'a GraphQL batch',
      'application/json',
      '[{"operationName":"Look"},{"operationName":"PlaceOrder"}]',
      { operationName: 'PlaceOrder' },
    ],
    ['NDJSON', 'application/x-ndjson', '{"op":"look"}\n{"op":"buy"}\n', { op: 'buy' }],
    ['a JSON text sequence', 'application/json-seq', '\u001e{"op":"look"}\n\u001e{"op":"buy"}\n', { op: 'buy' }],
    ['SOAP', 'text/xml; charset=utf-8', soap('pear'), { item: 'pear', kind: 'gift' }],
    ['SOAP 1.2', 'application/soap+xml', soap('pear'), { item: 'pear' }],
    ['a form with its field twice', 'application/x-www-form-urlencoded', 'action=look&action=buy', { action: 'buy' }],
    [
      'a form with its field twice the same',
      'application/x-www-form-urlencoded',
      'action=buy&action=buy',
      { action: 'buy' },
    ],
    [
      'UTF-16 with a byte-order mark',
      'application/json',
      new Uint8Array([0xff, 0xfe, ...Buffer.from('{"action":"buy"}', 'utf16le')]),
      { action: 'buy' },
    ],
    ['UTF-8 with a byte-order mark', 'application/json', '\uFEFF{"action":"buy"}', { action: 'buy' }],
  ])('%s', (_what, type, body, filter) => {
    const decoded = typed(type, body);
    expect(judged(filter, decoded)).toBe('match');
    const [key] = Object.keys(filter);
    expect(judged({ [key ?? '']: 'something else' }, decoded)).toBe('no-match');
    expect(judged({ ...filter, missing: 'field' }, decoded)).toBe('no-match');
  });

  it.each([
    [
      'a file that holds JSON',
      'multipart/form-data; boundary=B',
      '--B\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n{"action":"buy"}\r\n--B--',
    ],
    [
      'a text field that holds JSON',
      'multipart/form-data; boundary=B',
      '--B\r\nContent-Disposition: form-data; name="note"\r\n\r\n{"action":"buy"}\r\n--B--',
    ],
    ['JSON in a string', 'application/json', '{"note":"{\\"action\\":\\"buy\\"}"}'],
    ['a list that JSON means as a list', 'application/json', '{"action":["buy"]}'],
    [
      'XML in which the field is an attribute of another',
      'application/xml',
      '<a><action>look</action><b x="buy"/></a>',
    ],
  ])('and nothing else: %s', (_what, type, body) => {
    expect(judged({ action: 'buy' }, typed(type, body))).toBe('no-match');
  });

  it('a key that stands twice in JSON may be either value, so the request is held back', () => {
    expect(judged({ action: 'buy' }, typed('application/json', '{"action":"buy","action":"look"}'))).toBe('unknown');
    expect(judged({ action: 'buy' }, typed('application/json', '{"\\u0061ction":"buy","action":"look"}'))).toBe(
      'unknown',
    );
    expect(judged({ action: 'buy' }, typed('application/json', '{"action":"look","action":"buy"}'))).toBe('match');
    expect(
      judged({ action: 'buy' }, typed('application/json', '{"a":{"action":1},"b":{"action":2},"x":1,"x":2}')),
    ).toBe('no-match');
    expect(judged({ action: 'buy' }, typed('application/json', '{"note":"\\"action\\":1,\\"action\\":2"}'))).toBe(
      'no-match',
    );
  });

  it('NDJSON of endless lines is not known to the end', () => {
    expect(judged({ op: 'buy' }, typed('application/x-ndjson', 'x\n'.repeat(100_000)))).toBe('unknown');
    expect(judged({ op: 'buy' }, typed('application/x-ndjson', '{"op":"look"}\n'.repeat(1000)))).toBe('no-match');
  });

  it('XML that is not well-formed, or endless, is not known to the end', () => {
    expect(judged({ item: 'pear' }, typed('text/xml', '<a><b>x</a>'))).toBe('unknown');
    expect(judged({ item: 'pear' }, typed('text/xml', `<a>${'<b>x</b>'.repeat(50_000)}</a>`))).toBe('unknown');
    expect(judged({ item: 'lol' }, typed('text/xml', '<!DOCTYPE a [<!ENTITY l "lol">]><a><item>&l;</item></a>'))).toBe(
      'unknown',
    );
  });
});

describe('what the judge is shown', () => {
  it.each([
    ['text/xml', soap('a=b&amp;c=+49')],
    ['application/soap+xml; charset=utf-8', soap('a=b&amp;c=+49')],
    ['application/xml', '<a>x=1</a>'],
    ['application/x-ndjson', '{"a":"x=1&y=+49"}\n{"a":2}'],
    ['application/graphql', 'mutation { call(phone: "+49", q: "a=b&c") { id } }'],
    ['text/plain', '<order>phone=+49&x</order>'],
  ])('%s is the text that was sent', (type, body) => {
    expect(typed(type, body)).toMatchObject({ form: 'text', fields: body, text: body, status: 'complete' });
  });

  it.each([
    [
      'application/x-www-form-urlencoded; charset=Shift_JIS',
      'name=%83z%83e%83%8B&n=2',
      { name: '\u30db\u30c6\u30eb', n: '2' },
    ],
    [
      'application/x-www-form-urlencoded',
      'name=%83z%83e%83%8B&_charset_=Shift_JIS',
      { name: '\u30db\u30c6\u30eb', _charset_: 'Shift_JIS' },
    ],
    ['application/x-www-form-urlencoded; charset=iso-8859-1', 'city=K%F6ln+Mitte', { city: 'K\u00f6ln Mitte' }],
  ])('a form in another charset is read in it (%s)', (type, body, fields) => {
    const decoded = typed(type, body);
    expect(decoded.fields).toEqual(fields);
    expect(decoded.notes).toHaveLength(1);
  });

  it('a form of bytes in no stated charset keeps them escaped, and says so', () => {
    const decoded = typed('application/x-www-form-urlencoded', 'a=%C3%A9&b=%FF%41&c=%zz&d=%EF%BF%BD');
    expect(decoded.fields).toEqual({ a: '\u00e9', b: '%FF%41', c: '%zz', d: '\uFFFD' });
    expect(decoded.notes[0]).toContain('not UTF-8');
  });

  it('a part of a form without a name is there, under its place', () => {
    const body =
      '--B\r\nContent-Disposition: form-data\r\n\r\nhello\r\n--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--B\r\n\r\nbare\r\n--B--';
    expect(typed('multipart/form-data; boundary=B', body).fields).toEqual({
      '(part 1)': 'hello',
      a: '1',
      '(part 3)': 'bare',
    });
  });
});

describe('a text of 16 MB in a body overflows no stack', () => {
  const long = 'x'.repeat(16_000_000);

  it.each([
    ['in a JSON with a repeated key', 'application/json', `{"k":"${long}","id":1,"id":2,"n":0}`, 'unknown'],
    ['next to NaN', 'application/json', `{"k":"${long}","id":NaN}`, 'no-match'],
    [
      'as the name of a part',
      'multipart/form-data; boundary=B',
      `--B\r\nContent-Disposition: form-data; name="${long}"\r\n\r\nv\r\n--B--`,
      'no-match',
    ],
  ])('%s', (_where, type, body, result) => {
    expect(judged({ id: '1' }, typed(type, body))).toBe(result);
  });
});

it('a part with more than can be read makes the whole body incomplete', () => {
  const inner = '--C\r\n\r\nv\r\n'.repeat(1100) + '--C--';
  const body = `--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n${inner}\r\n--B--`;
  expect(judged({ id: '1' }, typed('multipart/mixed; boundary=B', body))).toBe('unknown');
});
