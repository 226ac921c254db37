import { categoryGroup } from '../../benchmark/task/category-group.ts';
import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { askedRubrics } from '../../crds/blocks/judge.ts';
import { RUN_KIND } from '../../crds/group.ts';
import { caseOf } from '../../crds/run-as-batch.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { writeSummary, type BatchRun } from '../../judging/summary/write-summary.ts';
import type { PhaseTimes } from '../../crds/status/run-status.ts';
import type { JudgeJob } from './judge-or-promote.ts';

/**
 * Writes the batch-level objects. The API server is the source for the planned runs and their outcomes.
 * @returns the number of runs whose bundle was found.
 */
export async function summarise(
  work: Pick<JudgeJob, 'job' | 'store' | 'runs'>,
  tasks: readonly TaskRow[],
): Promise<number> {
  const objects = await runsOf(work);
  const { judge, suite } = work.job.spec;
  return writeSummary(work.store, {
    batch: work.job.batch,
    dataset: suite.name,
    runs: batchRuns(objects, new Map(tasks.map((row) => [row.case, row]))),
    rubrics: askedRubrics(judge),
    passRubric: judge?.passRubric ?? null,
    judgeModel: judge?.model ?? '',
    wallHours: wallHours(objects.map((run) => run.status?.times ?? {})),
  });
}

/** The batch's runs; a standalone run is its own batch. */
async function runsOf({ job, runs }: Pick<JudgeJob, 'job' | 'runs'>): Promise<readonly Run[]> {
  if (job.kind === RUN_KIND) return [await runs.get(job.batch)];
  const { items } = await runs.list({ labelSelector: `claw-bench.com/batch=${job.batch}` });
  return items.filter((run) => run.spec.batchRef?.uid === job.batchUID);
}

/** In task order. */
function batchRuns(own: readonly Run[], tasks: ReadonlyMap<string, TaskRow>): BatchRun[] {
  const rows = own.map((run) => {
    const task = caseOf(run);
    const row = tasks.get(task);
    return {
      name: run.metadata.name,
      task,
      model: run.spec.model,
      harness: run.spec.harness.name,
      repetition: run.spec.repetition,
      group: row === undefined ? 'Other' : categoryGroup(row.metaclass, row.class),
      metaclass: row?.metaclass ?? '',
      site: row?.site ?? '',
      outcome: run.status?.outcome ?? null,
      reason: run.status?.reason ?? '',
    };
  });
  const order = [...tasks.keys()];
  return rows.sort((a, b) => order.indexOf(a.task) - order.indexOf(b.task) || (a.name < b.name ? -1 : 1));
}

/** Hours from the first Pod's creation to the last completion; 0 while there is no such pair. */
function wallHours(times: readonly (PhaseTimes & { readonly completed?: string | undefined })[]): number {
  const starts = times.flatMap((one) => (one.podCreated === undefined ? [] : [Date.parse(one.podCreated)]));
  const ends = times
    .flatMap((one) => [one.ended, one.completed])
    .flatMap((at) => (at === undefined ? [] : [Date.parse(at)]));
  if (starts.length === 0 || ends.length === 0) return 0;
  return Math.max(0, Math.max(...ends) - Math.min(...starts)) / 3_600_000;
}
