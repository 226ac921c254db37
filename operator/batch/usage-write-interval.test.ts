import { expect, it } from 'vitest';
import type { RunPhase } from '../../crds/status/run-status.ts';
import { usageDue } from './usage-write-interval.ts';

const NOW = 1_000_000;
const runs = (...phases: RunPhase[]): { status: { phase: RunPhase } }[] =>
  phases.map((phase) => ({ status: { phase } }));

it.each([
  [
    'a running agent: after half a minute, and again after the next',
    runs('Running', 'Complete'),
    30_000,
    { now: true, at: NOW + 30_000 },
  ],
  ['a running agent: not before half a minute', runs('Running'), 10_000, { now: false, at: NOW + 20_000 }],
  ['no agent is running: no need to reconcile', runs('Queued', 'Judging'), 10_000, { now: false, at: null }],
  ['all runs are complete: at once, for the last time', runs('Complete', 'Complete'), 10_000, { now: true, at: null }],
])('%s', (_what, given, ago, expected) => {
  expect(usageDue(given, NOW - ago, NOW)).toEqual(expected);
});
