import { expect, test } from 'vitest';
import { createChallengeDetector, type ChallengeReading } from './proxy-auth-challenge.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const ASKS = 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n';

test.each<[string, string, ChallengeReading]>([
  ['a success', OK, 'not-challenge'],
  ['a status line without a reason', 'HTTP/1.1 200\r\n\r\n', 'not-challenge'],
  ['the number in another place', 'HTTP/1.1 200 407\r\nX: 407\r\n\r\nHTTP/1.1 407', 'not-challenge'],
  ['the number in a body', `${OK}HTTP/1.1 407 x\r\n`, 'not-challenge'],
  ['bytes that are not HTTP', 'SSH-2.0-something', 'not-challenge'],
  ['a protocol switch', `HTTP/1.1 101 x\r\n\r\n${ASKS}`, 'not-challenge'],
  ['an interim response', HINTS, 'more'],
  ['a success after interim responses', `${HINTS}${HINTS}${OK}`, 'not-challenge'],
  ['407', ASKS, 'challenge'],
  ['407 without a reason', 'HTTP/1.1 407\r\n\r\n', 'challenge'],
  ['407 with more spaces', 'HTTP/1.1   407 x\r\n\r\n', 'challenge'],
  ['407 in lower case', 'http/1.0 407 x\n\n', 'challenge'],
  ['407 after stray bytes', `\r\n\r\n${ASKS}`, 'challenge'],
  ['407 after an interim response', `${HINTS}${ASKS}`, 'challenge'],
  ['407 after an interim response without headers', `HTTP/1.1 100 Continue\r\n\r\n${ASKS}`, 'challenge'],
  ['407 after an interim response in line feeds', `HTTP/1.1 102 x\nA: b\n\n${ASKS}`, 'challenge'],
  ['407 after a very long reason', `HTTP/1.1 103 ${'x'.repeat(5000)}\r\nA: b\r\n\r\n${ASKS}`, 'challenge'],
])('%s, in one piece and byte by byte', (_name, text, expected) => {
  expect(createChallengeDetector()(Buffer.from(text))).toBe(expected);
  const read = createChallengeDetector();
  let reading: ChallengeReading = 'more';
  for (let at = 0; at < text.length && reading === 'more'; at += 1) reading = read(Buffer.from(text[at] ?? ''));
  expect(reading).toBe(expected);
});
