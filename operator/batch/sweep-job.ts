import { packParts, partName } from '../../benchmark/protocol/row-list.ts';
import { SWEEP_LIST, type SweepRow } from '../../benchmark/protocol/sweep.ts';
import { PREPARE_IDENTITY } from '../../crds/group.ts';
import type { ConfigMap, Job } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import type { Batch } from '../kinds.ts';
import { commonLabels } from '../labels.ts';
import { buildJob, mailAttachment } from './job.ts';
import { listAttachment } from './list-attachment.ts';

/** On the Job: attempts of all runs together when it was made; what its success speaks of. */
export const SWEPT_ATTEMPTS = 'claw-bench.com/swept-attempts';

/** Four at a time, 20 s for the slowest: an hour is thousands of runs. */
const LIMIT_SECONDS = 3600;

/** `<batch>-sweep-<n>`, also the name of its list. */
export function sweepJobName(batch: string, number: number): string {
  return `${batch}-sweep-${String(number)}`;
}

/** In as many ConfigMaps as it needs; immutable, made before the Job: it can never see half a list. */
export function buildSweepLists(
  batch: Live<Batch>,
  number: number,
  rows: readonly SweepRow[],
): readonly New<ConfigMap>[] {
  const { name, namespace = '' } = batch.metadata;
  return packParts(SWEEP_LIST, rows).map((content, index) => ({
    metadata: {
      name: partName(sweepJobName(name, number), index + 1),
      namespace,
      labels: commonLabels('sweep', name),
    },
    immutable: true,
    ...content,
  }));
}

/** The Job that removes the mailboxes which Pods may have left. */
export function buildSweepJob(batch: Live<Batch>, number: number, image: string, rows: readonly SweepRow[]): New<Job> {
  const name = sweepJobName(batch.metadata.name, number);
  return buildJob({
    name,
    component: 'sweep',
    batch,
    image,
    program: 'sweep.js',
    serviceAccount: PREPARE_IDENTITY,
    needsToken: false,
    storeSecret: null,
    secretsOptional: true,
    limitSeconds: LIMIT_SECONDS,
    attachments: [listAttachment(name, SWEEP_LIST, rows), ...mailAttachment(batch)],
    config: { mailProvider: batch.spec.mail.provider },
    annotations: { [SWEPT_ATTEMPTS]: String(attemptsOf(rows)) },
  });
}

export function attemptsOf(rows: readonly SweepRow[]): number {
  return rows.reduce((sum, row) => sum + row.attempts, 0);
}
