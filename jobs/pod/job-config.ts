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
 * What the operator tells a Job, as JSON in `CLAWBENCH_JOB`. Not the spec: an environment variable holds 128 KiB, and a
 * batch may select thousands of cases by name. All of the spec that a Job needs is immutable but for `judge`, so that
 * alone is passed: a Job judges by what it was made for.
 */
const jobEnvironment = z.object({
  namespace: z.string(),
  kind: z.enum([BATCH_KIND, RUN_KIND]).default(BATCH_KIND),
  /** Name and UID of the batch, or of the run that was made by hand and is its own batch. */
  batch: z.string(),
  batchUID: z.string(),
  judge: judge.optional(),
  /** `prepare`: some harness of the batch calls a model, so the named ones must exist and answer. */
  harnessUsesModel: z.boolean().default(false),
});
export type JobConfig = z.infer<typeof jobEnvironment> & { readonly spec: ClawBenchBatchSpec };

/**
 * Reads `CLAWBENCH_JOB`, and the batch it names from the API server.
 * @throws Error when the variable is missing or not valid (a bug of ours), or when the batch is gone; ApiError.
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
  throw new Error(`${object.kind} ${object.metadata.name} is another one now: the one this Job is for was deleted`);
}
