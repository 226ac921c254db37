import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRequestHead, type ParsedRequestHead } from './request-head.ts';

function head(...lines: string[]): ParsedRequestHead {
  const reading = readRequestHead(`${lines.join('\r\n')}\r\n\r\n`);
  if (reading.kind === 'refuse') throw new Error(reading.why);
  return reading.head;
}

const POST = 'POST http://a.test/x HTTP/1.1';
const HOST = 'Host: a.test';

test('a browser’s request is parsed, and its header lines stay unchanged', () => {
  const lines = [HOST, 'sec-CH-ua:"x"', 'X-Odd:  two  spaces ', 'X-odd: \x80\xff\tz', 'Content-Length: 7'];
  expect(head(POST, ...lines)).toEqual({
    method: 'POST',
    target: 'http://a.test/x',
    host: 'a.test',
    body: 7,
    upgrade: null,
    fields: `${lines.join('\r\n')}\r\n\r\n`,
  });
});

test.each([
  ['no body', [], 0],
  ['a length', ['content-LENGTH:12'], 12],
  ['chunks', ['transfer-encoding: Chunked'], 'chunked'],
])('%s', (_name, lines, body) => {
  expect(head(POST, HOST, ...lines).body).toBe(body);
});

test('headers for the proxy are removed, and Proxy-Connection becomes Connection', () => {
  const sent = [HOST, 'Proxy-Connection: keep-alive', 'A: 1', 'proxy-authorization: Basic x', 'B: 2'];
  expect(head(POST, ...sent).fields).toBe('Host: a.test\r\nConnection: keep-alive\r\nA: 1\r\nB: 2\r\n\r\n');
  expect(head(POST, 'Connection: close', ...sent).fields).not.toContain('keep-alive');
  expect(head(POST, ...sent, 'Proxy-Connection: close').fields).not.toContain('close');
});

test.each<[string, string]>([
  ['two lengths', `${POST}\r\n${HOST}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`],
  ['one length twice', `${POST}\r\n${HOST}\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n`],
  ['a list of lengths', `${POST}\r\n${HOST}\r\nContent-Length: 1, 1\r\n\r\n`],
  ['a signed length', `${POST}\r\n${HOST}\r\nContent-Length: +1\r\n\r\n`],
  ['a hexadecimal length', `${POST}\r\n${HOST}\r\nContent-Length: 0x1\r\n\r\n`],
  ['an empty length', `${POST}\r\n${HOST}\r\nContent-Length:\r\n\r\n`],
  ['a length that wraps', `${POST}\r\n${HOST}\r\nContent-Length: 18446744073709551617\r\n\r\n`],
  ['a length beside chunks', `${POST}\r\n${HOST}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['chunks beside a length', `${POST}\r\n${HOST}\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n`],
  ['chunks twice', `${POST}\r\n${HOST}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['a coding that is not only chunked', `${POST}\r\n${HOST}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`],
  ['identity', `${POST}\r\n${HOST}\r\nTransfer-Encoding: identity\r\n\r\n`],
  ['a coding with a parameter', `${POST}\r\n${HOST}\r\nTransfer-Encoding: chunked;q=1\r\n\r\n`],
  ['a length spelled for a CGI', `${POST}\r\n${HOST}\r\nContent_Length: 1\r\nContent-Length: 2\r\n\r\n`],
  ['chunks spelled for a CGI', `${POST}\r\n${HOST}\r\nTransfer_Encoding: chunked\r\nContent-Length: 2\r\n\r\n`],
  ['a folded line', `${POST}\r\n${HOST}\r\nA: 1\r\n Content-Length: 5\r\n\r\n`],
  ['a line folded by a tab', `${POST}\r\n${HOST}\r\nA: 1\r\n\tb\r\n\r\n`],
  ['a space before the colon', `${POST}\r\n${HOST}\r\nContent-Length : 5\r\n\r\n`],
  ['a space before the name', `${POST}\r\n Content-Length: 5\r\n${HOST}\r\n\r\n`],
  ['a lone line feed', `${POST}\r\n${HOST}\r\nA: 1\nContent-Length: 5\r\n\r\n`],
  ['a lone carriage return', `${POST}\r\n${HOST}\r\nA: 1\rContent-Length: 5\r\n\r\n`],
  ['a lone line feed after the request line', `${POST}\n${HOST}\r\n\r\n`],
  ['a lone line feed as the end', `${POST}\r\n${HOST}\n\n\r\n\r\n`],
  ['a NUL', `${POST}\r\n${HOST}\r\nA: 1\0\r\n\r\n`],
  ['a line without a colon', `${POST}\r\n${HOST}\r\nA\r\n\r\n`],
  ['a line without a name', `${POST}\r\n${HOST}\r\n: 1\r\n\r\n`],
  ['a name that is not a token', `${POST}\r\n${HOST}\r\nA\x80: 1\r\n\r\n`],
  ['no host', `${POST}\r\n\r\n`],
  ['two hosts', `${POST}\r\n${HOST}\r\nhost: b.test\r\n\r\n`],
  ['one host twice', `${POST}\r\n${HOST}\r\n${HOST}\r\n\r\n`],
  ['an empty line first', `\r\n${POST}\r\n${HOST}\r\n\r\n`],
  ['two spaces in the request line', `POST  http://a.test/x HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a tab in the request line', `POST\thttp://a.test/x HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a space in the target', `POST http://a.test/x y HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a byte above ASCII in the target', `POST http://a.test/\xe9 HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['no version', `POST http://a.test/x\r\n${HOST}\r\n\r\n`],
  ['HTTP/1.0', `POST http://a.test/x HTTP/1.0\r\n${HOST}\r\n\r\n`],
  ['HTTP/2', `POST http://a.test/x HTTP/2.0\r\n${HOST}\r\n\r\n`],
  ['a version in lower case', `POST http://a.test/x http/1.1\r\n${HOST}\r\n\r\n`],
  ['a method that is not a token', `PO(ST http://a.test/x HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a GET with a body', `GET http://a.test/x HTTP/1.1\r\n${HOST}\r\nContent-Length: 9\r\n\r\n`],
  ['a GET in chunks', `GET http://a.test/x HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['a HEAD with a body', `HEAD http://a.test/x HTTP/1.1\r\n${HOST}\r\nContent-Length: 9\r\n\r\n`],
  ['a tunnel with a body', `CONNECT a.test:443 HTTP/1.1\r\n${HOST}\r\nContent-Length: 9\r\n\r\n`],
  ['a length after a no-break space', `${POST}\r\n${HOST}\r\nContent-Length:\xa05\r\n\r\n`],
  ['chunks before a no-break space', `${POST}\r\n${HOST}\r\nTransfer-Encoding: chunked\xa0\r\n\r\n`],
  ['two protocols', `${POST}\r\n${HOST}\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n\r\n`],
])('%s is refused', (_name, text) => {
  expect(readRequestHead(text).kind).toBe('refuse');
});

/** Whatever is mixed, an accepted head can be read in one way only: split at each CRLF, each line a name and a value. */
test('every accepted head is read the same by the simplest parser', () => {
  const piece = fc.constantFrom(
    ...['Content-Length', 'Transfer-Encoding', 'Host', 'X', ':', ' ', '\t', '\r\n', '\n', '\r', '\0', '1', '2'],
    ...['chunked', 'a.test', ',', '\xa0', '\x85', '\x0b', '\x0c', POST, HOST],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = `${POST}\r\n${HOST}\r\n${pieces.join('')}\r\n\r\n`;
      const end = text.indexOf('\r\n\r\n') + 4;
      const reading = readRequestHead(text.slice(0, end));
      if (reading.kind === 'refuse') return;
      const lines = text.slice(0, end - 4).split('\r\n');
      const named = (name: string): string[] =>
        lines.slice(1).flatMap((line) => {
          const parts = /^([^\s:]+):[ \t]*([^\r\n\0\x0b\x0c]*?)[ \t]*$/.exec(line);
          if (parts === null) throw new Error(`let through: ${JSON.stringify(line)}`);
          return parts[1]?.toLowerCase() === name ? [parts[2] ?? ''] : [];
        });
      const [length, coding] = [named('content-length'), named('transfer-encoding')];
      expect(length.length + coding.length).toBeLessThanOrEqual(1);
      expect(named('host')).toHaveLength(1);
      expect(reading.head.body).toBe(coding.length === 1 ? 'chunked' : Number(length[0] ?? 0));
    }),
    { numRuns: 3_000 },
  );
});

test('memoized header lines are read as before, whatever precedes them', () => {
  const lines = [HOST, 'Proxy-Connection: keep-alive', 'Content-Length: 5'];
  const first = head(POST, ...lines);
  for (let n = 0; n < 1_000; n += 1) head('GET http://a.test/ HTTP/1.1', HOST, `A: ${n}`);
  expect(head(POST, ...lines)).toEqual(first);
  expect(head('PUT http://a.test/other HTTP/1.1', ...lines)).toEqual({
    ...first,
    method: 'PUT',
    target: 'http://a.test/other',
  });
  // The lines are valid; the method must not have a body.
  const get = `GET http://a.test/ HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  for (let n = 0; n < 2; n += 1) expect(readRequestHead(get).kind).toBe('refuse');
  const broken = `${POST}\r\n${HOST}\r\nA : 1\r\n\r\n`;
  for (let n = 0; n < 2; n += 1) expect(readRequestHead(broken).kind).toBe('refuse');
});
