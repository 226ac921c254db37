import { describe, expect, it } from 'vitest';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { judgeStep, type JudgeInput } from './judge-step.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const row = (run: string): JudgeRow => ({
  run,
  uid: `uid-${run}`,
  action: 'Judge',
  prefix: `m/b/${run}/a1/`,
  model: 'm',
  harness: 'replay',
  case: 'c',
  repetition: 1,
});
const rows = (count: number): JudgeRow[] => Array.from({ length: count }, (_, index) => row(`r${String(index)}`));

function input(waiting: number, waitedMs: number, more: Partial<JudgeInput> = {}): JudgeInput {
  return {
    batch: 'b',
    job: null,
    list: { judge: rows(waiting), promote: [], waitingSince: waiting === 0 ? null : NOW - waitedMs },
    closedRuns: waiting,
    settled: false,
    roundOver: false,
    specHash: 'h',
    pendingSeconds: 60,
    now: NOW,
    ...more,
  };
}

const started = (given: JudgeInput): number[] =>
  judgeStep({}, given).actions.flatMap((action) => (action.type === 'startJudge' ? [action.rows.length] : []));

describe('a judge Job that has finished', () => {
  const ended: JudgeInput['job'] = { view: { state: 'Failed', message: 'Lost.' }, closedRuns: 1, specHash: 'h' };
  const deleted = (job: JudgeInput['job'], number: number): string[] =>
    judgeStep({ judge: { number, name: `b-judge-${String(number)}` } }, input(1, 0, { job })).actions.flatMap(
      (action) => (action.type === 'deleteJob' ? [action.name] : []),
    );

  it('is the last one kept, so that its log can be read', () => {
    expect(deleted(ended, 1)).toEqual([]);
    expect(deleted(ended, 5)).toEqual(['b-judge-4', 'b-judge-3']);
  });
  it('does not delete the one before it while it works', () => {
    const active = { state: 'Active', waiting: null, since: NOW } as const;
    expect(deleted({ view: active, closedRuns: 1, specHash: 'h' }, 5)).toEqual([]);
  });
});

describe('when the next judge Job starts', () => {
  it('waits half a minute for other runs while runs are in progress, and says when to reconcile again', () => {
    const step = judgeStep({}, input(1, 10_000));
    expect(step.actions).toEqual([]);
    expect(step.requeueAt).toBe(NOW + 20_000);
    expect(started(input(1, 30_000))).toEqual([1]);
  });

  it('does not wait once eight runs are on the list', () => {
    expect(started(input(7, 0))).toEqual([]);
    expect(started(input(8, 0))).toEqual([8]);
  });

  it('does not wait when no further run is to come', () => {
    expect(started(input(1, 0, { settled: true }))).toEqual([1]);
  });

  it('respects the back-off of a failed Job, however long the runs have waited', () => {
    const retryTime = new Date(NOW + 60_000).toISOString();
    const step = judgeStep({ judge: { number: 1, retryTime } }, input(9, 90_000, { settled: true }));
    expect(step).toMatchObject({ actions: [], requeueAt: NOW + 60_000 });
  });
});
