import { expect, test } from 'vitest';
import { createChallengeDetector, type ChallengeReading } from './proxy-auth-challenge.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const ASKS = 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n';

test.each<[string, string, ChallengeReading]>([
  ['a success', OK, 'passes'],
  ['a status line without a reason', 'HTTP/1.1 200\r\n\r\n', 'passes'],
  ['the number elsewhere', 'HTTP/1.1 200 407\r\nX: 407\r\n\r\nHTTP/1.1 407', 'passes'],
  ['the number in a body', `${OK}HTTP/1.1 407 x\r\n`, 'passes'],
  ['no HTTP', 'SSH-2.0-something', 'passes'],
  ['a switch of protocols', `HTTP/1.1 101 x\r\n\r\n${ASKS}`, 'passes'],
  ['an interim answer', HINTS, 'more'],
  ['a success behind interim answers', `${HINTS}${HINTS}${OK}`, 'passes'],
  ['407', ASKS, 'proxy'],
  ['407 without a reason', 'HTTP/1.1 407\r\n\r\n', 'proxy'],
  ['407 with more spaces', 'HTTP/1.1   407 x\r\n\r\n', 'proxy'],
  ['407 in lower case', 'http/1.0 407 x\n\n', 'proxy'],
  ['407 behind stray bytes', `\r\n\r\n${ASKS}`, 'proxy'],
  ['407 behind an interim answer', `${HINTS}${ASKS}`, 'proxy'],
  ['407 behind an interim answer without headers', `HTTP/1.1 100 Continue\r\n\r\n${ASKS}`, 'proxy'],
  ['407 behind an interim answer in line feeds', `HTTP/1.1 102 x\nA: b\n\n${ASKS}`, 'proxy'],
  ['407 behind an endless reason', `HTTP/1.1 103 ${'x'.repeat(5000)}\r\nA: b\r\n\r\n${ASKS}`, 'proxy'],
])('%s, in one piece and byte by byte', (_name, text, expected) => {
  expect(createChallengeDetector()(Buffer.from(text))).toBe(expected);
  const read = createChallengeDetector();
  let reading: ChallengeReading = 'more';
  for (let at = 0; at < text.length && reading === 'more'; at += 1) reading = read(Buffer.from(text[at] ?? ''));
  expect(reading).toBe(expected);
});
