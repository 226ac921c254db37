import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { AttemptStatus, ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { recordRunEvents } from './record-run-events.ts';

const run = (status: ClawBenchRunStatus): Live<Run> => ({ metadata: { name: 'r' }, spec: {}, status }) as Live<Run>;

/** The events for this change of a run, and how often the run was counted. */
function changed(before: ClawBenchRunStatus, after: ClawBenchRunStatus): { reported: string[]; counted: number } {
  const reported: string[] = [];
  let counted = 0;
  const deps = {
    log: pino({ level: 'silent' }),
    events: {
      event: (_run: unknown, _type: string, reason: string, message: string) => reported.push(`${reason}: ${message}`),
    },
    metrics: { outcome: () => (counted += 1) },
  } as unknown as ReconcilerDeps;
  recordRunEvents(deps, run(before), run(after), 'suite');
  return { reported, counted };
}
const events = (before: ClawBenchRunStatus, after: ClawBenchRunStatus): string[] => changed(before, after).reported;

const failed = { outcome: 'Infrastructure', reason: 'Evicted', message: 'The node was drained.' } as const;
const first: AttemptStatus = { number: 1, podName: 'r-a1', ...failed };
const under: AttemptStatus = { number: 2, podName: 'r-a2' };

describe('events', () => {
  it('name the attempt that failed, once', () => {
    const open: ClawBenchRunStatus = { attempt: 1, attempts: [{ number: 1, podName: 'r-a1' }] };
    const closed: ClawBenchRunStatus = { attempt: 1, attempts: [first] };
    expect(events(open, closed)).toEqual(['Evicted: Attempt 1: The node was drained.']);
    expect(events(closed, { ...closed, attempt: 2, attempts: [first, under] })).toEqual([]);
  });
  it('do not report an attempt as failed that found the claim of an earlier one', () => {
    const before: ClawBenchRunStatus = { attempt: 2, attempts: [first, under] };
    const after: ClawBenchRunStatus = {
      attempt: 2,
      phase: 'Complete',
      ...failed,
      attempts: [first, { ...under, ...failed, claimedByAttempt: 1 }],
    };
    expect(events(before, after)).toEqual(['Infrastructure: The node was drained.']);
  });
});

it('a run is counted at its first completion, and not when it was judged again', () => {
  const judging: ClawBenchRunStatus = { phase: 'Judging', outcome: 'JudgePending' };
  const end: ClawBenchRunStatus = {
    phase: 'Complete',
    outcome: 'Passed',
    times: { completed: '2026-01-01T00:00:00Z' },
  };
  expect(changed(judging, end).counted).toBe(1);
  expect(changed({ ...end, ...judging }, { ...end, outcome: 'Failed' })).toEqual({
    reported: ['Failed: '],
    counted: 0,
  });
});
