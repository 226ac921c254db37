import { batchSpec, type ClawBenchBatchSpec } from './batch.ts';
import { runSpec, type ClawBenchRunSpec } from './run.ts';

/** Name of the case of a run: its name in the suite, or the run's own name if the task is inline. */
export function caseOf(run: {
  readonly metadata: { readonly name: string };
  readonly spec: Pick<ClawBenchRunSpec, 'task'>;
}): string {
  return run.spec.task.ref?.case ?? run.metadata.name;
}

/** `<run>-task`: the ConfigMap through which the operator passes an inline task to recorder and judge. */
export function taskMapName(run: string): string {
  return `${run}-task`;
}

/**
 * A standalone run as a batch of one run, so that the same code handles both. The defaults of its blocks are filled in
 * here, because the API server cannot fill them: a default would also appear in runs of a batch and contradict the batch.
 * @param name name of the run; an inline task is stored in a ConfigMap named after it
 */
export function batchSpecOf(name: string, spec: ClawBenchRunSpec): ClawBenchBatchSpec {
  const { model, models, harness, suite, task, rerun: _rerun, batchRef: _none, ...blocks } = runSpec.parse(spec);
  const inline = task.inline === undefined ? {} : { configMapRef: { name: taskMapName(name) } };
  return batchSpec.parse({
    ...blocks,
    suite: { ...suite, ...inline },
    models: { ...models, names: [model] },
    harnesses: [harness],
    parallelism: 1,
  });
}
