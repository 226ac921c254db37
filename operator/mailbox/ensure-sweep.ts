import { makesMailboxes } from '../../benchmark/mail/settings.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { JOBS } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import type { Cluster } from '../cluster.ts';
import { jobEnd } from '../job-end.ts';
import { isRefusal } from '../refusal.ts';
import type { RunContext } from '../run/act.ts';
import { buildSweepJob, sweepJobName } from './sweep-job.ts';

/** The attempt's sweep Job is at work, or on its way out: a mailbox made now might be removed under its user. */
export class SweepAtWork extends Error {
  override readonly name = 'SweepAtWork';
}

/**
 * Makes the attempt's sweep Job, before there is a Pod that could make a mailbox. Safe to repeat.
 * @throws SweepAtWork: no Pod may be made yet; ApiError, ApiUnreachable.
 */
export async function ensureSweep(cluster: Cluster, { run, batch }: RunContext, attempt: number): Promise<void> {
  if (!makesMailboxes(batch.spec.mail.provider)) return;
  const jobs = resource(cluster.client, JOBS, run.metadata.namespace);
  const wanted = buildSweepJob(run, batch, attempt, cluster.images.judge);
  const create = async (): Promise<unknown> => jobs.create(wanted, { fieldManager: OPERATOR_FIELD_MANAGER });
  try {
    await create();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await jobs.get(wanted.metadata.name);
    const isGoing = found.metadata.deletionTimestamp !== undefined;
    const isOver = jobEnd(found) !== undefined;
    if (found.spec?.suspend === true && !isGoing && !isOver) return;
    if (isGoing || !isOver) throw new SweepAtWork(`The Job ${found.metadata.name} of this attempt is not over yet.`);
    // Somebody let it run before there was a mailbox: it would not run again for the one to come.
    await jobs.delete(found.metadata.name, { uid: found.metadata.uid });
    await create();
  }
}

/**
 * The attempt's recorder has removed the mailbox itself. A refusal keeps no run from its end: the Job that stays is let
 * run, finds nothing to remove, and goes by its time to live at the latest.
 */
export async function dropSweep(cluster: Cluster, { run }: RunContext, attempt: number): Promise<void> {
  const { name, namespace = '', uid } = run.metadata;
  const job = sweepJobName(uid, attempt);
  try {
    await resource(cluster.client, JOBS, namespace).delete(job);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    cluster.log.warn({ err: error, namespace, run: name, attempt, job }, 'the sweep Job could not be deleted');
  }
}
