import type { z } from 'zod';
import { judgeMessage } from '../../benchmark/protocol/job-messages.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import { JOBS, type Job } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { BY_OWNER, type ReconcilerDeps } from '../deps.ts';
import { jobState, type JobState } from '../job/job-state.ts';
import { MOUNT_RECHECK_MS } from '../pod/missing-config-map.ts';
import { earliest } from '../timestamps.ts';
import { CLOSED_RUNS, JUDGE_HASH, tasksConfigMapName } from './judge-job.ts';
import type { ActiveJudgeJob } from './judge-step.ts';

/** The state of a Job of this batch; null when the status names none. */
export async function loadJobState<T>(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  name: string | undefined,
  schema: z.ZodType<T>,
): Promise<JobState<T> | null> {
  return name === undefined ? null : stateOf(deps, batch, await findJob(deps, batch, name), schema);
}

/** The state of its judge Job, with what that Job was created for. */
export async function loadJudgeJob(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  name: string | undefined,
): Promise<ActiveJudgeJob | null> {
  if (name === undefined) return null;
  const job = await findJob(deps, batch, name);
  const annotations = job?.metadata.annotations ?? {};
  return {
    view: await stateOf(deps, batch, job, judgeMessage),
    closedRuns: Number(annotations[CLOSED_RUNS] ?? '0'),
    specHash: annotations[JUDGE_HASH] ?? '',
  };
}

/** Before a Job that is not in the cache counts as deleted, the server itself is asked. */
async function findJob(deps: ReconcilerDeps, batch: Live<Batch>, name: string): Promise<Live<Job> | null> {
  const { namespace = '', uid } = batch.metadata;
  const job = deps.jobs.get(`${namespace}/${name}`) ?? (await resource(deps.client, JOBS, namespace).find(name));
  return job !== null && controllerOf(job)?.uid === uid ? job : null;
}

async function stateOf<T>(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  job: Live<Job> | null,
  schema: z.ZodType<T>,
): Promise<JobState<T>> {
  const [pod = null] = job === null ? [] : deps.pods.byIndex(BY_OWNER, job.metadata.uid);
  const view = jobState(job, pod, (value) => schema.safeParse(value).data ?? null, deps.now());
  if (pod === null || view.state !== 'Active' || view.waiting === null) return view;
  const missing = await deps.configMapCheck.missing(pod);
  // The list is read once and cached. Without the cache its absence is noticed, and `prepare` writes it again.
  if (missing?.name === tasksConfigMapName(batch.metadata.name)) deps.tasks.forget(batch.metadata.uid);
  return { ...view, waiting: missing?.message ?? view.waiting, recheckAt: deps.now() + MOUNT_RECHECK_MS };
}

/** When to check a Job again even if nothing happens. */
export function jobRequeueAt(
  view: { readonly state: string; readonly lostAt?: number; readonly recheckAt?: number } | null | undefined,
): number | null {
  return earliest([view?.lostAt ?? null, view?.recheckAt ?? null]);
}
