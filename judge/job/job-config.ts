import { z } from 'zod';
import { batchSpec } from '../../crds/batch.ts';

/** What the operator tells a Job, as JSON in `CLAWBENCH_JOB`. The spec holds references to Secrets, never their content. */
export const jobConfig = z.object({
  namespace: z.string(),
  batch: z.string(),
  batchUID: z.string(),
  spec: batchSpec,
  /** `prepare`: some harness of the batch calls a model, so the named ones must exist and answer. */
  harnessUsesModel: z.boolean().default(false),
});
export type JobConfig = z.infer<typeof jobConfig>;

/** Reads `CLAWBENCH_JOB`. @throws Error when it is missing or not valid, which is a bug of ours. */
export function readJobConfig(env: NodeJS.ProcessEnv): JobConfig {
  const text = env['CLAWBENCH_JOB'];
  if (text === undefined) throw new Error('CLAWBENCH_JOB is not set; this program is started by the operator');
  return jobConfig.parse(JSON.parse(text));
}
