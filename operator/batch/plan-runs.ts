import { runName } from '../../benchmark/protocol/names.ts';
import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import type { Harness } from '../../crds/blocks/agents.ts';
import type { ClawBenchRunSpecInput } from '../../crds/run.ts';
import { ORDER_ANNOTATION, runLabels } from '../labels.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { New } from '../../kube/object.ts';

/** One run that the batch plans. */
export interface PlannedRun {
  readonly name: string;
  readonly task: TaskRow;
  /** 0-based place of the task in the batch's list. */
  readonly place: number;
  readonly model: string;
  readonly harness: Harness;
  /** 1-based. */
  readonly repetition: number;
  /** 0-based place of the run in the plan. */
  readonly order: number;
}

export interface ExpandInput {
  readonly batch: string;
  readonly tasks: readonly TaskRow[];
  /** After globs, as `prepare` gave them. */
  readonly models: readonly string[];
  readonly harnesses: readonly Harness[];
  readonly repetitions: number;
}

/**
 * Tasks × models × harnesses × repetitions, in task order: whoever looks at a half-done batch sees whole tasks, and
 * models are compared on the same ones.
 * @throws Error when two runs get one name; nothing may be created then, for one would be taken for the other.
 */
export function expand(input: ExpandInput): PlannedRun[] {
  const { batch, models, harnesses, repetitions } = input;
  const all = input.tasks.flatMap((task, place) =>
    models.flatMap((model) =>
      harnesses.flatMap((harness) =>
        Array.from({ length: repetitions }, (_, index) => {
          const repetition = index + 1;
          const name = runName(batch, { task: task.case, model, harness: harness.name, repetition });
          return { name, task, place, model, harness, repetition };
        }),
      ),
    ),
  );
  const planned = all.map((run, order): PlannedRun => ({ ...run, order }));
  const names = new Set(planned.map((run) => run.name));
  if (names.size === planned.length) return planned;
  throw new Error('two runs of this batch would have the same name: rename the batch');
}

/** The run's object; everything it does not carry is read from the batch. */
export function runObject(planned: PlannedRun, batch: { name: string; uid: string; namespace: string }): New<Run> {
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
