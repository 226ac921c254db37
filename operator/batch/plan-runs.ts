import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { runName } from '../../benchmark/protocol/names.ts';
import { jobOrder, type OrderedJob } from '../../benchmark/task/job-order.ts';
import type { Harness } from '../../crds/blocks/agents.ts';
import type { ClawBenchRunSpecInput } from '../../crds/run.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { New } from '../../kube/object.ts';
import { ORDER_ANNOTATION, runLabels } from '../labels.ts';

/** One run of the batch's plan. */
export interface PlannedRun extends OrderedJob<TaskRow, Harness> {
  readonly name: string;
  /** 0-based index of the run in the plan. */
  readonly order: number;
}

export interface PlanInput {
  readonly batch: string;
  readonly tasks: readonly TaskRow[];
  /** After globs, as `prepare` resolved them. */
  readonly models: readonly string[];
  readonly harnesses: readonly Harness[];
  readonly repetitions: number;
}

/**
 * All runs of a batch, in job order: a batch that is half done has whole tasks, and compares its models on the same ones.
 * @throws Error when two runs would have the same name. Nothing may be created then: one would be taken for the other.
 */
export function planRuns({ batch, tasks, models, harnesses, repetitions }: PlanInput): PlannedRun[] {
  const planned = jobOrder(tasks, models, harnesses, repetitions).map((job, order): PlannedRun => {
    const { task, model, harness, repetition } = job;
    const name = runName(batch, { task: task.case, model, harness: harness.name, repetition });
    return { ...job, name, order };
  });
  const names = new Set(planned.map((run) => run.name));
  if (names.size === planned.length) return planned;
  throw new Error('two runs of this batch would have the same name: rename the batch');
}

/** The run's object; everything it does not carry is read from the batch. */
export function buildRun(planned: PlannedRun, batch: { name: string; uid: string; namespace: string }): New<Run> {
  const { task, model, harness, repetition } = planned;
  const facts = { batch: batch.name, model, harness: harness.name, task: task.case };
  const { labels, annotations: texts } = runLabels(facts);
  const annotations = { ...texts, [ORDER_ANNOTATION]: String(planned.order) };
  const spec: ClawBenchRunSpecInput = {
    batchRef: { name: batch.name, uid: batch.uid },
    task: { ref: { case: task.case, sha256: task.sha256 } },
    model,
    harness,
    repetition,
  };
  return {
    metadata: { name: planned.name, namespace: batch.namespace, labels, annotations },
    spec: spec as Run['spec'],
  };
}
