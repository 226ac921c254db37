import { makesMailboxes } from '../../benchmark/mailbox/settings.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { ForeignObject } from '../../kube/ensure-owned.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { JOBS, type Job } from '../../kube/kinds.ts';
import { controllerOf, keyOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { isApiRejection } from '../api-rejection.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { finishedCondition } from '../job/job-finished.ts';
import { buildSweepJob, isSweepOf, sweepJobName } from './sweep-job.ts';

/** The attempt's sweep Job is running or being deleted: a mailbox created now might be removed while it is in use. */
export class SweepJobActive extends Error {
  override readonly name = 'SweepAtWork';
}

/** Run and batch whose attempts create mailboxes. */
interface SweepContext {
  readonly run: Live<Run>;
  readonly batch: Live<Batch>;
}

/**
 * Creates the attempt's sweep Job, before there is a Pod that could create a mailbox. Can be repeated.
 * @throws SweepJobActive or ForeignObject: the Pod must not be created now; ApiError, ApiUnreachable.
 */
export async function ensureSweepJob(
  deps: ReconcilerDeps,
  { run, batch }: SweepContext,
  attempt: number,
): Promise<void> {
  if (!makesMailboxes(batch.spec.mail.provider)) return;
  const jobs = resource(deps.client, JOBS, run.metadata.namespace);
  const wanted = buildSweepJob(run, batch, attempt, deps.images.judge);
  const create = async (): Promise<unknown> => jobs.create(wanted, { fieldManager: OPERATOR_FIELD_MANAGER });
  try {
    await create();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await jobs.get(wanted.metadata.name);
    const isOurs = isSweepOf(found, run.metadata.uid, attempt);
    if (!isOurs) throw new ForeignObject('Job', keyOf(found), controllerOf(found)?.uid);
    if (canBeResumed(found)) return;
    const isOver = finishedCondition(found) !== undefined && found.metadata.deletionTimestamp === undefined;
    if (!isOver) throw new SweepJobActive(`Job ${found.metadata.name} of this attempt has not finished yet.`);
    // Somebody resumed it before there was a mailbox. A finished Job does not run again, so it is replaced.
    await jobs.delete(found.metadata.name, { uid: found.metadata.uid });
    await create();
  }
}

/**
 * Whether it is suspended and can be resumed later. A Job that was suspended while running deletes its pods after that.
 */
function canBeResumed(job: Job): boolean {
  const stays = job.metadata.deletionTimestamp === undefined && finishedCondition(job) === undefined;
  const { active = 0, terminating = 0 } = job.status ?? {};
  return job.spec?.suspend === true && stays && active + terminating === 0;
}

/**
 * Deletes the sweep Job of an attempt without a mailbox: its recorder removed the mailbox, or its Pod never had a node.
 * Can be repeated. A rejection does not keep the run from ending: the Job is resumed later, finds nothing to remove,
 * and is deleted after its TTL at the latest.
 */
export async function deleteSweepJob(
  deps: ReconcilerDeps,
  { run, batch }: SweepContext,
  attempt: number,
): Promise<void> {
  if (!makesMailboxes(batch.spec.mail.provider)) return;
  const { name, namespace = '', uid } = run.metadata;
  const job = sweepJobName(uid, attempt);
  try {
    await resource(deps.client, JOBS, namespace).delete(job);
  } catch (error) {
    if (!isApiRejection(error)) throw error;
    deps.log.warn({ err: error, namespace, run: name, attempt, job }, 'the sweep Job could not be deleted');
  }
}
