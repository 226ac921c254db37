import { makesMailboxes } from '../../benchmark/mail/settings.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { JOBS } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import type { Cluster } from '../cluster.ts';
import type { RunContext } from '../run/act.ts';
import { buildSweepJob, sweepJobName } from './sweep-job.ts';

/** Makes the attempt's sweep Job, before there is a Pod that could make a mailbox. Safe to repeat. */
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
    if (found.spec?.suspend === true) return;
    // It ran while no Pod could be made, which took longer than anybody waited: there was no mailbox yet.
    await jobs.delete(found.metadata.name, { uid: found.metadata.uid });
    await create();
  }
}

/** The attempt's recorder has removed the mailbox itself. */
export async function dropSweep(cluster: Cluster, { run }: RunContext, attempt: number): Promise<void> {
  await resource(cluster.client, JOBS, run.metadata.namespace).delete(sweepJobName(run.metadata.uid, attempt));
}
