import { isEligible } from '../../benchmark/aggregate/eligible.ts';
import type { ScoredRun } from '../../benchmark/aggregate/score.ts';
import { isNonResult, SYSTEM_CAUSED_OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import type { BatchCounts } from '../../crds/status/batch-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { sumUsages, type Spending } from '../progress/usage-sum.ts';
import { withLiveUsage } from '../run/attempt-usage.ts';
import type { LiveUsage } from '../run/live-usage.ts';
import type { PlannedRun } from './plan-runs.ts';

type Count = keyof BatchCounts;

const BY_PHASE: Readonly<Record<string, Count>> = {
  Queued: 'queued',
  Pending: 'pending',
  Starting: 'pending',
  Running: 'running',
  Finalising: 'running',
  Judging: 'judging',
  Complete: 'finished',
};
/** What the system caused says nothing about the agent: it is never counted as `failed`. */
const BY_OUTCOME: Readonly<Record<string, Count>> = {
  Passed: 'passed',
  Failed: 'failed',
  TimedOut: 'failed',
  JudgePending: 'unjudged',
  Cancelled: 'cancelled',
  ...Object.fromEntries([...SYSTEM_CAUSED_OUTCOMES].map((outcome) => [outcome, 'infrastructure' as const])),
};

/** `status.counts`. A planned run that has not been created yet counts as queued. */
export function countRuns(runs: readonly Run[], planned: number): BatchCounts {
  const counts: BatchCounts = {
    total: planned,
    queued: Math.max(0, planned - runs.length),
    pending: 0,
    running: 0,
    judging: 0,
    finished: 0,
    passed: 0,
    failed: 0,
    infrastructure: 0,
    unjudged: 0,
    cancelled: 0,
  };
  for (const { status } of runs) {
    const phase = status?.phase ?? 'Queued';
    counts[BY_PHASE[phase] ?? 'queued'] += 1;
    const outcome = phase === 'Complete' ? BY_OUTCOME[status?.outcome ?? ''] : undefined;
    if (outcome !== undefined) counts[outcome] += 1;
  }
  return counts;
}

/**
 * Usage of the runs that have ended, and of the running ones so far.
 * @param live by the run's name.
 */
export function batchUsage(runs: readonly Run[], live: ReadonlyMap<string, LiveUsage>): Spending {
  return sumUsages(
    runs.map(({ metadata, status = {} }) => {
      const { attempt = 0, spent = null } = live.get(metadata.name) ?? {};
      return withLiveUsage(status, attempt, spent).usage ?? {};
    }),
  );
}

/** The runs whose agent is done, as the aggregation takes them. Cancelled runs are not closed by a result. */
export function scoredRuns(runs: readonly Run[], tasks: ReadonlyMap<string, TaskRow>, judged: boolean): ScoredRun[] {
  return runs
    .filter((run) => run.status?.outcome !== undefined && run.status.outcome !== 'Cancelled')
    .map((run) => scoredRun(run, tasks.get(run.spec.task.ref?.case ?? '')?.group ?? 'Other', judged));
}

function scoredRun(run: Run, group: string, judged: boolean): ScoredRun {
  const { status = {}, spec } = run;
  const verdicts = Object.entries(status.verdicts ?? {}).filter((entry) => entry[1] !== undefined);
  return {
    task: spec.task.ref?.case ?? '',
    model: spec.model,
    harness: spec.harness.name,
    group,
    repetition: spec.repetition,
    intercepted: status.intercepted === true,
    eligible: isEligible({
      outcome: status.outcome ?? null,
      harness: spec.harness.name,
      resultCategory: status.resultCategory ?? '',
    }),
    nonResult: isNonResult(status.outcome ?? null),
    passed: status.outcome === 'Passed',
    verdicts: judged ? Object.fromEntries(verdicts) : {},
  };
}

/** The planned runs by the dimensions of the tables. */
export function plannedRows(planned: readonly PlannedRun[]): { model: string; harness: string; group: string }[] {
  return planned.map((run) => ({ model: run.model, harness: run.harness.name, group: run.task.group }));
}
