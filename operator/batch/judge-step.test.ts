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
    resting: false,
    specHash: 'h',
    pendingSeconds: 60,
    now: NOW,
    ...more,
  };
}

const started = (given: JudgeInput): number[] =>
  judgeStep({}, given).actions.flatMap((action) => (action.type === 'startJudge' ? [action.rows.length] : []));

describe('when the next judge Job starts', () => {
  it('waits half a minute for others while runs go on, and says when to look again', () => {
    const step = judgeStep({}, input(1, 10_000));
    expect(step.actions).toEqual([]);
    expect(step.checkAt).toBe(NOW + 20_000);
    expect(started(input(1, 30_000))).toEqual([1]);
  });

  it('waits no longer once eight are there', () => {
    expect(started(input(7, 0))).toEqual([]);
    expect(started(input(8, 0))).toEqual([8]);
  });

  it('waits for nobody when no run is to come', () => {
    expect(started(input(1, 0, { settled: true }))).toEqual([1]);
  });

  it('keeps to the back-off of a Job that failed, however long the runs have waited', () => {
    const retryTime = new Date(NOW + 60_000).toISOString();
    const step = judgeStep({ judge: { number: 1, retryTime } }, input(9, 90_000, { settled: true }));
    expect(step).toMatchObject({ actions: [], checkAt: NOW + 60_000 });
  });
});
