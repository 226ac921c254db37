import { PREPARE_IDENTITY } from '../../crds/group.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { Job } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import { usesModel } from '../harnesses.ts';
import { buildJob, mailAttachment, modelsAttachment, suiteAttachment } from '../job/build-job.ts';
import { harnessAttachments } from './harness-attachments.ts';

/** A suite, a few calls with retries, a test of the store: seconds, if everything responds. */
const LIMIT_SECONDS = 900;

/** `<batch>-prepare-<n>`. */
export function prepareJobName(batch: string, number: number): string {
  return `${batch}-prepare-${String(number)}`;
}

/**
 * The Job that checks everything before money is spent. All its mounts are optional: what is missing becomes a message.
 */
export function buildPrepareJob(batch: Live<Batch>, number: number, image: string): New<Job> {
  const { spec } = batch;
  return buildJob({
    name: prepareJobName(batch.metadata.name, number),
    component: 'prepare',
    batch,
    image,
    program: 'prepare.js',
    serviceAccount: PREPARE_IDENTITY,
    storeSecret: spec.artifacts.s3.secretRef?.name ?? null,
    secretsOptional: true,
    limitSeconds: LIMIT_SECONDS,
    attachments: [
      ...suiteAttachment(batch, true),
      ...modelsAttachment('models', spec.models.secretRef, '/models'),
      ...modelsAttachment('judge-models', spec.judge?.modelsSecretRef, '/judge-models'),
      ...mailAttachment(batch),
      ...harnessAttachments(spec.harnesses),
    ],
    config: { harnessUsesModel: spec.harnesses.some(usesModel) },
  });
}
