import type { z } from 'zod';
import { judgeMessage } from '../../benchmark/protocol/job-messages.ts';
import { JOBS, type Job } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { BY_OWNER, type Cluster } from '../deps.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import { LOOK_AGAIN_MS } from '../pod/missing-config-map.ts';
import { CLOSED_RUNS, JUDGE_HASH, tasksConfigMapName } from './judge-job.ts';
import { jobView, type JobView } from '../job/job-state.ts';
import type { JudgeJob } from './judge-step.ts';

/** How a Job of this batch stands; null when the status names none. */
export async function viewJob<T>(
  cluster: Cluster,
  batch: Live<Batch>,
  name: string | undefined,
  schema: z.ZodType<T>,
): Promise<JobView<T> | null> {
  return name === undefined ? null : viewFound(cluster, batch, await findJob(cluster, batch, name), schema);
}

/** The same of its judge Job, with what that was made for. */
export async function viewJudge(
  cluster: Cluster,
  batch: Live<Batch>,
  name: string | undefined,
): Promise<JudgeJob | null> {
  if (name === undefined) return null;
  const job = await findJob(cluster, batch, name);
  const marks = job?.metadata.annotations ?? {};
  return {
    view: await viewFound(cluster, batch, job, judgeMessage),
    closedRuns: Number(marks[CLOSED_RUNS] ?? '0'),
    specHash: marks[JUDGE_HASH] ?? '',
  };
}

/** The server itself is asked before a Job that the cache does not show is taken for deleted. */
async function findJob(cluster: Cluster, batch: Live<Batch>, name: string): Promise<Live<Job> | null> {
  const { namespace = '', uid } = batch.metadata;
  const job = cluster.jobs.get(`${namespace}/${name}`) ?? (await resource(cluster.client, JOBS, namespace).find(name));
  return job !== null && controllerOf(job)?.uid === uid ? job : null;
}

async function viewFound<T>(
  cluster: Cluster,
  batch: Live<Batch>,
  job: Live<Job> | null,
  schema: z.ZodType<T>,
): Promise<JobView<T>> {
  const [pod = null] = job === null ? [] : cluster.pods.byIndex(BY_OWNER, job.metadata.uid);
  const view = jobView(job, pod, (value) => schema.safeParse(value).data ?? null, cluster.now());
  if (pod === null || view.state !== 'Active' || view.waiting === null) return view;
  const missing = await cluster.mounts.missing(pod);
  // Read once and kept: forgotten, its absence is noticed, and `prepare` writes it again.
  if (missing?.name === tasksConfigMapName(batch.metadata.name)) cluster.tasks.forget(batch.metadata.uid);
  return { ...view, waiting: missing?.sentence ?? view.waiting, lookAt: cluster.now() + LOOK_AGAIN_MS };
}

/** When a Job has to be looked at although nothing happens. */
export function lookAgainAt(
  view: { readonly state: string; readonly lostAt?: number; readonly lookAt?: number } | null | undefined,
): number | null {
  const times = [view?.lostAt, view?.lookAt].filter((at) => at !== undefined);
  return times.length === 0 ? null : Math.min(...times);
}
