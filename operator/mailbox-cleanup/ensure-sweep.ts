import { makesMailboxes } from '../../benchmark/mailbox/settings.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { ForeignObject } from '../../kube/ensure-owned.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { JOBS, type Job } from '../../kube/kinds.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { controllerOf, keyOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { finishedCondition } from '../job/job-finished.ts';
import { isApiRejection } from '../api-rejection.ts';
import { buildSweepJob, isSweepOf, sweepJobName } from './sweep-job.ts';

/** The attempt's sweep Job is at work, or on its way out: a mailbox made now might be removed under its user. */
export class SweepJobActive extends Error {
  override readonly name = 'SweepAtWork';
}

/** Whose attempts make the mailboxes. */
interface SweepContext {
  readonly run: Live<Run>;
  readonly batch: Live<Batch>;
}

/**
 * Makes the attempt's sweep Job, before there is a Pod that could make a mailbox. Safe to repeat.
 * @throws SweepAtWork: no Pod may be made yet; ForeignObject: nor while that is there; ApiError, ApiUnreachable.
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
    if (waits(found)) return;
    const isOver = finishedCondition(found) !== undefined && found.metadata.deletionTimestamp === undefined;
    if (!isOver) throw new SweepJobActive(`Job ${found.metadata.name} of this attempt has not finished yet.`);
    // Somebody let it run before there was a mailbox: it would not run again for the one to come.
    await jobs.delete(found.metadata.name, { uid: found.metadata.uid });
    await create();
  }
}

/** Whether it is there to be let run. One that was suspended at work takes its pods away after that. */
function waits(job: Job): boolean {
  const stays = job.metadata.deletionTimestamp === undefined && finishedCondition(job) === undefined;
  const { active = 0, terminating = 0 } = job.status ?? {};
  return job.spec?.suspend === true && stays && active + terminating === 0;
}

/**
 * There is no mailbox: the attempt's recorder has removed it itself, or no node ever had its Pod. Safe to repeat. A
 * refusal keeps no run from its end: the Job that stays is let run, finds nothing to remove, and goes by its time to
 * live at the latest.
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
