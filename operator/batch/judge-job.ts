import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { judgeJobName } from '../../benchmark/protocol/names.ts';
import { packParts, partName } from '../../benchmark/protocol/row-list.ts';
import { BATCH_KIND, JUDGE_IDENTITY } from '../../crds/group.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { ConfigMap, Job } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import { buildJob, modelsAttachment, suiteAttachment, type Attachment } from '../job/build-job.ts';
import { commonLabels } from '../labels.ts';

const JUDGE_LIST = 'runs.json';
const LIST_VOLUME = 'list';
/** On the Job: how many runs were closed when it was created. Its summary covers at least those. */
export const CLOSED_RUNS = 'claw-bench.com/closed-runs';
/** On the Job: hash of the `spec.judge` it judges by. */
export const JUDGE_HASH = 'claw-bench.com/judge-hash';

/** `<batch>-tasks`, written by `prepare`. */
export function tasksConfigMapName(batch: string): string {
  return `${batch}-tasks`;
}

/**
 * The Job's work list, in as many ConfigMaps as it needs. The Job owns them. Its pod starts when everything that it
 * mounts exists, and they are immutable, so it never sees half a list.
 * @param parts how many the Job mounts.
 */
export function buildJudgeLists(
  batch: Live<Batch>,
  number: number,
  rows: readonly JudgeRow[],
  parts = 1,
): readonly New<ConfigMap>[] {
  return packParts(JUDGE_LIST, rows, parts).map((content, index) => ({
    metadata: {
      name: partName(judgeJobName(batch.metadata.name, number), index + 1),
      namespace: batch.metadata.namespace ?? '',
      labels: commonLabels('judge', batch.metadata.name),
    },
    immutable: true,
    ...content,
  }));
}

/** Mounts the work list in `/list`: one ConfigMap, or the parts of one that is too large. `name` is the first one's. */
function listAttachment(name: string, rows: readonly unknown[]): Attachment {
  const names = packParts(JUDGE_LIST, rows).map((_, index) => partName(name, index + 1));
  const sources = names.map((one) => ({ configMap: { name: one } }));
  const source = names.length === 1 ? { configMap: { name } } : { projected: { sources } };
  return { volume: { name: LIST_VOLUME, ...source }, mountPath: '/list' };
}

/** How many ConfigMaps of rows a judge Job mounts. */
export function mountedParts(job: Job): number {
  const list = job.spec?.template.spec?.volumes?.find(({ name }) => name === LIST_VOLUME);
  return list?.projected?.sources?.length ?? 1;
}

/** A standalone run has no task list: it has one task. */
function tasksAttachment({ kind, metadata }: Live<Batch>): Attachment[] {
  if (kind !== BATCH_KIND) return [];
  return [{ volume: { name: 'tasks', configMap: { name: tasksConfigMapName(metadata.name) } }, mountPath: '/tasks' }];
}

/**
 * Far beyond what the slowest provider needs, because the limit is for a Job that hangs: ten minutes for each row of a
 * worker's share, and an hour for the summary of a large batch. What one Job leaves open, the next one does.
 */
function limitSeconds(rows: number, workers: number): number {
  return 3600 + Math.ceil(rows / workers) * 600;
}

/** The Job that judges, promotes and writes the summary. */
export function buildJudgeJob(
  batch: Live<Batch>,
  number: number,
  image: string,
  made: { readonly closedRuns: number; readonly specHash: string; readonly rows: readonly unknown[] },
): New<Job> {
  const { spec } = batch;
  const name = judgeJobName(batch.metadata.name, number);
  return buildJob({
    name,
    component: 'judge',
    batch,
    image,
    program: 'judge.js',
    serviceAccount: JUDGE_IDENTITY,
    storeSecret: spec.artifacts.s3.secretRef?.name ?? null,
    secretsOptional: false,
    limitSeconds: limitSeconds(made.rows.length, spec.judge?.workers ?? 1),
    attachments: [
      listAttachment(name, made.rows),
      ...tasksAttachment(batch),
      ...suiteAttachment(batch, false),
      ...modelsAttachment('judge-models', spec.judge?.modelsSecretRef, '/judge-models'),
    ],
    config: { list: name },
    annotations: { [CLOSED_RUNS]: String(made.closedRuns), [JUDGE_HASH]: made.specHash },
  });
}
