import { batchSpec, type ClawBenchBatchSpec } from './batch.ts';
import { runSpec, type ClawBenchRunSpec } from './run.ts';

/** The case's name of a run: of the suite, or the run's own when it carries its task itself. */
export function caseOf(run: {
  readonly metadata: { readonly name: string };
  readonly spec: Pick<ClawBenchRunSpec, 'task'>;
}): string {
  return run.spec.task.ref?.case ?? run.metadata.name;
}

/** `<run>-task`: the ConfigMap in which the operator hands an inline task to recorder and judge. */
export function taskMapName(run: string): string {
  return `${run}-task`;
}

/**
 * A run made by hand as the batch of one run that it is, so that whatever is done for a batch is done for it by the
 * same code. Its blocks get their defaults here: the API server cannot fill them on runs, since a default would appear
 * in a run of a batch too and contradict the batch.
 * @param name the run's; an inline task lies in a ConfigMap named after it.
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
