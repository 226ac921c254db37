import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { BATCHES, RUNS, type Batch } from '../../kube/clawbench-kinds.ts';
import { ensureOwned, ForeignObject } from '../../kube/ensure-owned.ts';
import { CONFIG_MAPS, JOBS, NETWORK_POLICIES, ROLE_BINDINGS, SERVICE_ACCOUNTS } from '../../kube/kinds.ts';
import { controllerOf, keyOf, ownerReference, type KubeObject, type Live } from '../../kube/object.ts';
import { resource, type Applied, type Resource } from '../../kube/resource.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { MANAGED_BY_LABEL, OPERATOR_NAME } from '../labels.ts';
import type { BatchAction } from './actions.ts';
import { buildJudgeJob, buildJudgeLists, mountedParts } from './judge-job.ts';
import { buildRun, type PlannedRun } from './plan-runs.ts';
import { buildPrepareJob } from './prepare-job.ts';
import {
  buildNetworkPolicy,
  buildRoleBinding,
  buildServiceAccount,
  JOB_SERVICE_ACCOUNTS,
  sharedOwners,
} from './rbac.ts';
import { slowStart } from './slow-start.ts';

const MANAGER = { fieldManager: OPERATOR_FIELD_MANAGER };

/** Applies one action. Each can be repeated after a crash at any point. */
export async function applyBatchAction(deps: ReconcilerDeps, batch: Live<Batch>, action: BatchAction): Promise<void> {
  const { name, namespace = '', uid } = batch.metadata;
  const jobs = resource(deps.client, JOBS, namespace);
  const image = deps.images.judge;
  switch (action.type) {
    case 'startPrepare':
      await ensureJobAccess(deps, batch);
      await ensureOwned(jobs, buildPrepareJob(batch, action.number, image), batch, MANAGER);
      return;
    case 'startJudge':
      await ensureJobAccess(deps, batch);
      return startJudge(deps, batch, action);
    case 'createRuns':
      return createRuns(deps, batch, action.runs);
    case 'deleteJob':
      await jobs.delete(action.name);
      return;
    case 'deleteBatch':
      await resource(deps.client, BATCHES, namespace).delete(name, { uid });
  }
}

/** The list is created second, because the Job owns it. The Job's pod waits for it. */
async function startJudge(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  action: Extract<BatchAction, { type: 'startJudge' }>,
): Promise<void> {
  const { namespace = '' } = batch.metadata;
  const { number, rows } = action;
  const wanted = buildJudgeJob(batch, number, deps.images.judge, action);
  const { object: job } = await ensureOwned(resource(deps.client, JOBS, namespace), wanted, batch, MANAGER);
  const maps = resource(deps.client, CONFIG_MAPS, namespace);
  for (const list of buildJudgeLists(batch, number, rows, mountedParts(job))) {
    await ensureOwned(maps, list, job, { ...MANAGER, blockOwnerDeletion: false });
  }
}

/**
 * Creates runs in job order. A run that an earlier try created is adopted; one that belongs to somebody else is an
 * error.
 */
async function createRuns(deps: ReconcilerDeps, batch: Live<Batch>, runs: readonly PlannedRun[]): Promise<void> {
  const { name, namespace = '', uid } = batch.metadata;
  const resources = resource(deps.client, RUNS, namespace);
  await slowStart(runs, async (planned) => {
    await ensureOwned(resources, buildRun(planned, { name, namespace, uid }), batch, MANAGER);
  });
}

async function ensureJobAccess(deps: ReconcilerDeps, batch: Live<Batch>): Promise<void> {
  const { namespace = '' } = batch.metadata;
  const standaloneRuns = deps.runs.list(namespace).filter((run) => run.spec.batchRef === undefined);
  const owners = sharedOwners([...deps.batches.list(namespace), ...standaloneRuns]);
  for (const name of JOB_SERVICE_ACCOUNTS) {
    await applyUnlessForeign(
      resource(deps.client, SERVICE_ACCOUNTS, namespace),
      buildServiceAccount(name, namespace, owners),
    );
    await applyUnlessForeign(
      resource(deps.client, ROLE_BINDINGS, namespace),
      buildRoleBinding(name, namespace, owners),
    );
  }
  await ensureNetworkPolicy(deps, batch);
}

/** Restricts access to the pods of this batch's runs. */
export async function ensureNetworkPolicy(deps: ReconcilerDeps, batch: Live<Batch>): Promise<void> {
  const policies = resource(deps.client, NETWORK_POLICIES, batch.metadata.namespace);
  const policy = buildNetworkPolicy(batch, ownerReference(batch));
  // Server-side apply would take over somebody else's policy.
  const existing = await policies.find(policy.metadata.name);
  const owner = existing === null ? undefined : controllerOf(existing)?.uid;
  if (existing !== null && owner !== batch.metadata.uid) throw new ForeignObject(existing.kind, keyOf(existing), owner);
  await policies.apply(policy, MANAGER);
}

/** In namespaced mode the chart creates the service accounts; those are left unchanged. */
async function applyUnlessForeign<T extends KubeObject>(resources: Resource<T>, object: Applied<T>): Promise<void> {
  const existing = await resources.find(object.metadata.name);
  if (existing !== null && existing.metadata.labels?.[MANAGED_BY_LABEL] !== OPERATOR_NAME) return;
  await resources.apply(object, MANAGER);
}
