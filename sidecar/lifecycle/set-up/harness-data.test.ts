import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHarnessData } from './harness-data.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'harness-data-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

it('mirrors a row per action and the stop marker, which are all that upstream scripts watch', () => {
  const data = openHarnessData(dir);
  data.actionSeen();
  data.actionSeen();
  data.stopRequested();
  expect(readFileSync(join(dir, 'actions.jsonl'), 'utf8')).toBe('{}\n{}\n');
  expect(existsSync(join(dir, '.stop-requested'))).toBe(true);
  data.close();
});

it('does not write through a link of the agent', () => {
  const evidence = join(dir, 'evidence');
  writeFileSync(evidence, 'untouched');
  const data = openHarnessData(dir);
  rmSync(join(dir, 'actions.jsonl'));
  symlinkSync(evidence, join(dir, 'actions.jsonl'));
  symlinkSync(join(dir, 'made-by-link'), join(dir, '.stop-requested'));
  data.actionSeen();
  data.stopRequested();
  expect(readFileSync(evidence, 'utf8')).toBe('untouched');
  expect(existsSync(join(dir, 'made-by-link'))).toBe(false);
  data.close();
});

it.each([
  [
    'a word',
    (path: string) => {
      writeFileSync(path, 'proxy_failed\n');
    },
    'proxy_failed',
  ],
  ['nothing', () => undefined, 'unknown'],
  [
    'a link to a secret',
    (path: string) => {
      symlinkSync('/etc/hostname', path);
    },
    'unknown',
  ],
  [
    'a flood',
    (path: string) => {
      writeFileSync(path, 'x'.repeat(5000));
    },
    'x'.repeat(64),
  ],
] as const)('reads the stop reason from %s', (_name, write, word) => {
  write(join(dir, '.stop-reason'));
  expect(openHarnessData(dir).stopReason()).toBe(word);
});
