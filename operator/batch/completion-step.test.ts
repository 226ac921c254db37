import { expect, it } from 'vitest';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import { aLiveBatch } from './batch.fixture.ts';
import { completionStep } from './completion-step.ts';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const times = { ended: '2026-01-01T00:00:00Z' };
const ended: ClawBenchRunStatus = {
  intercepted: true,
  evidence: 'Complete',
  attempts: [{ number: 1, podName: 'p', times }],
};
const VERDICTS = { Strict: { match: true }, Lenient: { match: true } };
const judged: ClawBenchRunStatus = { ...ended, phase: 'Complete', outcome: 'Passed', verdicts: VERDICTS };
const waiting: ClawBenchRunStatus = { ...ended, phase: 'Judging', outcome: 'JudgePending' };

/** How the batch completes when that many runs are listed for the judge. */
function end(statuses: readonly ClawBenchRunStatus[], listed: number): string {
  const batch = aLiveBatch({ judge: { modelsSecretRef: { name: 'm' }, model: 'j' } });
  const runs = statuses.map((status) => ({ metadata: { name: 'r' }, spec: {}, status }) as Live<Run>);
  const list = { judge: Array.from<never>({ length: listed }), promote: [], waitingSince: null };
  const facts = { batch, runs, list, settled: true, roundOver: false, closedRuns: runs.length, now: NOW };
  const status = { judge: { number: 1, failures: 1, message: 'no answer.' } };
  const step = completionStep(status, { ...facts, moment: { generation: 1, now: NOW } });
  const found = step.status.conditions?.find(({ type }) => type === 'Complete');
  return `${found?.reason ?? ''}: ${found?.message ?? ''}`;
}

it('counts the runs without a verdict, not those on the list', () => {
  expect(end([judged, waiting], 2)).toBe('Unjudged: 1 run has no verdict: no answer.');
  expect(end([waiting, waiting], 2)).toBe('Unjudged: 2 runs have no verdict: no answer.');
});

it('runs that were to be judged again by another judge have verdicts', () => {
  expect(end([judged, judged], 2)).toBe("Unjudged: 2 runs have only an earlier judge's verdict: no answer.");
});

it('names the summary if only that is missing', () => {
  expect(end([judged, judged], 0)).toMatch(/^SummaryNotWritten: .*summary could not be written: no answer\./);
});
