import { z } from 'zod';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { podName } from '../../benchmark/names.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { JOBS, PODS, type Job } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { jobView } from '../batch/job-view.ts';
import { BY_OWNER, type Cluster } from '../cluster.ts';
import type { Run } from '../kinds.ts';
import { attemptOf } from '../run/attempts.ts';
import type { PodObject } from '../run/pod-object.ts';
import { decideSweep, type SweepFacts, type SweepVerdict } from './decide-sweep.ts';
import { sweptAttempt, type SweptAttempt } from './sweep-job.ts';

/** A mailbox costs by the month; half a minute is soon. */
const PERIOD_MS = 30_000;

/** Gentle to the provider, whose limits a batch that is deleted with 200 Pods would meet. */
const AT_ONCE = 8;

/** @returns a function that ends it. */
export function startSweeper(cluster: Cluster): () => void {
  const look = createSweeper(cluster);
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => cluster.log.warn({ err: error }, 'mailboxes were not looked after; again soon'))
      .finally(() => {
        looking = false;
      });
  }, PERIOD_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * One look at all sweep Jobs. Lets the sweep Jobs of attempts run that are over, and takes away those that are done. It goes by what is there and not
 * by what happened: an operator that was away while batch, run and Pod were deleted finds the Job, and nothing else.
 */
export function createSweeper(cluster: Cluster): () => Promise<void> {
  const told = new Set<string>();
  return async () => {
    const jobs = cluster.jobs.list().flatMap((job) => {
      const of = sweptAttempt(job);
      return of === null ? [] : [{ job, of }];
    });
    let free = AT_ONCE - jobs.filter(({ job }) => isRunning(job)).length;
    for (const { job, of } of jobs) {
      const verdict = decide(cluster, job, of);
      if (verdict.do === 'release' && (free <= 0 || !(await isOver(cluster, job, of)))) continue;
      if (verdict.do === 'release') free -= 1;
      await carryOut(cluster, { job, of, told }, verdict);
    }
    const alive = new Set(jobs.map(({ job }) => job.metadata.uid));
    for (const uid of told) if (!alive.has(uid)) told.delete(uid);
  };
}

function isRunning({ spec, status }: Job): boolean {
  const over = status?.conditions?.some((one) => ['Complete', 'Failed'].includes(one.type) && one.status === 'True');
  return spec?.suspend !== true && over !== true;
}

/** As far as the caches show. */
function decide(cluster: Cluster, job: Live<Job>, of: SweptAttempt): SweepVerdict {
  const pods = cluster.pods.byIndex(BY_OWNER, of.runUID);
  return decideSweep(factsOf(cluster, job, of, pods.find((pod) => attemptOf(pod) === of.attempt) ?? null));
}

/** A cache that has not seen a new pod yet must not take its mailbox away. */
async function isOver(cluster: Cluster, job: Live<Job>, of: SweptAttempt): Promise<boolean> {
  const found = await resource(cluster.client, PODS, job.metadata.namespace).find(podName(of.run, of.attempt));
  const pod = found !== null && controllerOf(found)?.uid === of.runUID ? found : null;
  return decideSweep(factsOf(cluster, job, of, pod)).do === 'release';
}

function factsOf(cluster: Cluster, job: Live<Job>, of: SweptAttempt, pod: PodObject | null): SweepFacts {
  const run = continuedRun(cluster, job.metadata.namespace ?? '', of);
  return { job, attempt: of.attempt, run: run === null ? null : (run.status ?? {}), pod, now: cluster.now() };
}

/** The run, if somebody continues it: it and its batch are there and not on their way out. */
function continuedRun(cluster: Cluster, namespace: string, { run: name, runUID }: SweptAttempt): Live<Run> | null {
  const run = cluster.runs.get(`${namespace}/${name}`);
  if (run?.metadata.uid !== runUID || run.metadata.deletionTimestamp !== undefined) return null;
  const { batchRef } = run.spec;
  if (batchRef === undefined) return run;
  const batch = cluster.batches.get(`${namespace}/${batchRef.name}`);
  return batch?.metadata.uid === batchRef.uid && batch.metadata.deletionTimestamp === undefined ? run : null;
}

async function carryOut(
  cluster: Cluster,
  { job, of, told }: { job: Live<Job>; of: SweptAttempt; told: Set<string> },
  verdict: SweepVerdict,
): Promise<void> {
  const { name, namespace = '', uid } = job.metadata;
  const jobs = resource(cluster.client, JOBS, namespace);
  const fields = { namespace, run: of.run, attempt: of.attempt };
  switch (verdict.do) {
    case 'wait':
      return;
    case 'release': {
      const options = { uid, fieldManager: OPERATOR_FIELD_MANAGER };
      await ignoringGone(jobs.mergePatch(name, { spec: { suspend: false } }, options));
      cluster.log.info(fields, 'the mailbox is being removed');
      return;
    }
    case 'delete':
      await ignoringGone(jobs.delete(name, { uid }));
      return;
    case 'tell': {
      if (told.has(uid)) return;
      told.add(uid);
      const why = lastWords(cluster, job) ?? verdict.message;
      const message = `The mailbox of attempt ${String(of.attempt)} of run ${of.run} could not be removed: ${why}`;
      cluster.log.warn({ ...fields, message }, 'mailbox left');
      cluster.events.event(job, 'Warning', 'MailboxLeft', message);
    }
  }
}

const lastMessage = z.object({ message: z.string() });

/** What the program said at its last try, of which the Job controller only says that it was the last. */
function lastWords(cluster: Cluster, job: Live<Job>): string | null {
  const parse = (value: unknown): string | null => lastMessage.safeParse(value).data?.message ?? null;
  const views = cluster.pods.byIndex(BY_OWNER, job.metadata.uid).map((pod) => jobView(job, pod, parse, cluster.now()));
  return views.find((view) => view.state === 'Done')?.message ?? null;
}

async function ignoringGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
