import { z } from 'zod';
import { batchSpec, type ClawBenchBatchSpec } from '../../crds/batch.ts';
import { judge } from '../../crds/blocks/judge.ts';
import { BATCH_KIND, BATCH_PLURAL, GROUP, RUN_KIND, VERSION } from '../../crds/group.ts';
import { batchSpecOf } from '../../crds/run-as-batch.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { KubeObject, ResourceRef } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { RUNS } from '../../kube/clawbench-kinds.ts';

type BatchObject = KubeObject & { spec: unknown };
const BATCHES: ResourceRef<BatchObject> = { group: GROUP, version: VERSION, kind: BATCH_KIND, plural: BATCH_PLURAL };

/**
 * What the operator passes to a Job, as JSON in `CLAWBENCH_JOB`. It is not the whole spec: an environment variable holds
 * 128 KiB, and a batch may select thousands of cases by name. Everything in the spec that a Job needs is immutable except
 * `judge`, so that is passed along: a Job judges with the settings it was created for.
 */
const jobEnvironment = z.object({
  namespace: z.string(),
  kind: z.enum([BATCH_KIND, RUN_KIND]).default(BATCH_KIND),
  /** Name and UID of the batch, or of the standalone run that is its own batch. */
  batch: z.string(),
  batchUID: z.string(),
  judge: judge.optional(),
  /** For `prepare`: a harness of the batch calls a model, so the named models must exist and answer. */
  harnessUsesModel: z.boolean().default(false),
});
export type JobConfig = z.infer<typeof jobEnvironment> & { readonly spec: ClawBenchBatchSpec };

/**
 * Reads `CLAWBENCH_JOB`, then the batch that it names from the API server.
 * @throws Error when the variable is missing or not valid (a bug), or when the batch is gone; ApiError.
 */
export async function readJobConfig(env: NodeJS.ProcessEnv, client: KubeClient): Promise<JobConfig> {
  const text = env['CLAWBENCH_JOB'];
  if (text === undefined) throw new Error('CLAWBENCH_JOB is not set; this program is started by the operator');
  const job = jobEnvironment.parse(JSON.parse(text));
  const { judge: _newer, ...spec } = await readSpec(job, client);
  return { ...job, spec: job.judge === undefined ? spec : { ...spec, judge: job.judge } };
}

async function readSpec(job: z.infer<typeof jobEnvironment>, client: KubeClient): Promise<ClawBenchBatchSpec> {
  if (job.kind === BATCH_KIND) {
    const batch = await resource(client, BATCHES, job.namespace).get(job.batch);
    return batchSpec.parse(same(batch, job.batchUID).spec);
  }
  const run = await resource(client, RUNS, job.namespace).get(job.batch);
  return batchSpecOf(job.batch, same(run, job.batchUID).spec);
}

function same<T extends KubeObject>(object: T, uid: string): T {
  if (object.metadata.uid === uid) return object;
  throw new Error(
    `${object.kind} ${object.metadata.name} was deleted and created again: this Job belongs to the earlier one`,
  );
}
