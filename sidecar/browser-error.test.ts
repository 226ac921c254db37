import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBrowserError } from './browser-error.ts';

const UNREADABLE = 'The browser reported a failure that could not be read.';

it.each([
  ['{"reason":"IsolationUnavailable","message":"No."}', { reason: 'IsolationUnavailable', message: 'No.' }],
  ['{"reason":"FromTheFuture","message":"No."}', { reason: 'BrowserExited', message: 'No.' }],
  ['{"message":"No."}', { reason: 'BrowserExited', message: 'No.' }],
  ['{"reason":"DiskFull"}', { reason: 'DiskFull', message: UNREADABLE }],
  ['{"reason":"DiskFull","message":7}', { reason: 'DiskFull', message: UNREADABLE }],
  ['null', { reason: 'BrowserExited', message: UNREADABLE }],
  ['not JSON', { reason: 'BrowserExited', message: UNREADABLE }],
  ['', { reason: 'BrowserExited', message: UNREADABLE }],
])('%s → %j', (text, expected) => {
  const runDir = mkdtempSync(join(tmpdir(), 'browser-error-'));
  expect(readBrowserError(runDir)).toBeNull();
  writeFileSync(join(runDir, 'browser.error'), text);
  expect(readBrowserError(runDir)).toEqual(expected);
});
