import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CASE_FILES, hasCaseFiles } from '../../test/shared-data.ts';
import { openConsoleFlood } from './console-flood.ts';
import { openFocus } from './focus.ts';
import { openRowLimit } from './row-limit.ts';

const CASES = join(CASE_FILES, 'auto_focus.json');
interface Case {
  readonly id: string;
  readonly input: { readonly actions_on_sessions?: string[]; readonly requests?: string[] };
  readonly expected: { readonly activated_targets: string[] };
}

describe.runIf(hasCaseFiles)('upstream’s cases', () => {
  const { cases } = JSON.parse(hasCaseFiles ? readFileSync(CASES, 'utf8') : '{"cases":[]}') as { cases: Case[] };
  test.each(cases)('$id', ({ input, expected }) => {
    const focus = openFocus();
    // The caller decides which requests count: only those of documents reach `focusFrame`.
    const documents = (input.requests ?? []).filter((request) => request.startsWith('Document'));
    const sessions = input.actions_on_sessions ?? documents.map((request) => request.split(' on ')[1] ?? '');
    const targets = sessions.map((session) => session.replace('S', 'T'));
    expect(targets.filter((target, at) => focus.shouldActivate(target, false, at))).toEqual(expected.activated_targets);
  });
});

test('a tab that the agent hid is brought back, at most once a second', () => {
  const focus = openFocus();
  expect(focus.shouldActivate('T1', false, 10_000)).toBe(true);
  expect(focus.shouldActivate('T1', true, 10_500)).toBe(false);
  expect(focus.shouldActivate('T1', true, 11_000)).toBe(true);
  expect(focus.shouldActivate('T1', true, 11_500)).toBe(false);
});

test('a burst of typing is recorded, a flood of events is not, and a tab recovers', () => {
  const limit = openRowLimit();
  const admitted = (count: number, now: number): number =>
    Array.from({ length: count }, () => limit.admits('S', now)).filter(Boolean).length;
  expect(admitted(3_000, 0)).toBe(3_000);
  expect(admitted(100_000, 0)).toBe(1_000);
  expect(admitted(1_000, 5_000)).toBe(500);
  expect(limit.admits('other', 5_000)).toBe(true);
});

test('a console flood is reported once a second, an ordinary page never', () => {
  const flood = openConsoleFlood();
  const floods = (count: number, from: number): number =>
    Array.from({ length: count }, (_, i) => flood.count('S', from + i / 100)).filter(Boolean).length;
  expect(floods(1_500, 0)).toBe(0);
  expect(floods(50_000, 2_000)).toBe(1);
  expect(floods(1_500, 4_000)).toBe(0);
});
