import type { Batch } from '../../kube/clawbench-kinds.ts';
import { ForeignObject } from '../../kube/ensure-owned.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import { controllerOf, keyOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { REJECTED_RETRY_MS } from '../retry-delays.ts';
import { statusMessage } from '../status-message.ts';
import { tasksConfigMapName } from './judge-job.ts';

/**
 * The one name that the operator does not create itself: `prepare`, which may only create, cannot distinguish somebody
 * else's task list from its own earlier one, and would be started again and again.
 */
export async function findNameConflict(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
): Promise<{ reason: string; message: string; retryAt: number } | null> {
  const { name, namespace, uid } = batch.metadata;
  const found = await resource(deps.client, CONFIG_MAPS, namespace).find(tasksConfigMapName(name));
  const owner = found === null ? uid : controllerOf(found)?.uid;
  if (found === null || owner === uid) return null;
  const foreign = new ForeignObject('ConfigMap', keyOf(found), owner);
  return { reason: 'NameTaken', message: statusMessage(foreign.message), retryAt: deps.now() + REJECTED_RETRY_MS };
}
