import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { ForeignObject } from '../../kube/ensure-owned.ts';
import { isNamespaceTerminating } from '../../kube/errors.ts';
import type { Live } from '../../kube/object.ts';
import { isApiRejection } from '../api-rejection.ts';
import { withCondition } from '../conditions.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { REJECTED_RETRY_MS } from '../retry-delays.ts';
import { statusMessage } from '../status-message.ts';
import type { BatchAction, BatchDecision } from './actions.ts';
import { applyBatchAction } from './apply-action.ts';
import { expectCreates, pendingCreates, type BatchMemory } from './create-expectations.ts';

/** Runs created in one reconcile: the status must not wait for ten thousand creations. */
const CREATE_AT_ONCE = 300;

type Part = 'prepare' | 'judge' | 'runs' | 'end';

/**
 * Applies a decision, without what an earlier reconcile has created and the cache does not show yet. What the API
 * server rejects (quota, a name that is taken) is reported in `Progressing` and tried again; it delays only its own
 * part.
 * @returns the decision as it was applied, and when to try again, milliseconds since the epoch.
 */
export async function applyBatchActions(
  deps: ReconcilerDeps,
  { memory, batch, runs }: { memory: BatchMemory; batch: Live<Batch>; runs: readonly Live<Run>[] },
  decision: BatchDecision,
): Promise<{ decision: BatchDecision; retryAt: number | null }> {
  const created = pendingCreates(memory, runs, deps.now());
  const actions = decision.actions.map((action) =>
    action.type === 'createRuns' ? notYetCreated(created, action) : action,
  );
  const rejections = await applyEach(batch, actions, async (action) => {
    await applyBatchAction(deps, batch, action);
    if (action.type === 'createRuns') expectCreates(memory, action.runs, deps.now());
  });
  if (rejections === null) return { decision: { ...decision, status: batch.status ?? {} }, retryAt: null };
  if (rejections.size > 0)
    return { decision: withRejections(deps, batch, decision, rejections), retryAt: deps.now() + REJECTED_RETRY_MS };
  const more = actions.some((action) => action.type === 'createRuns' && action.runs.length === CREATE_AT_ONCE);
  return { decision, retryAt: more ? deps.now() : null };
}

/** @returns the rejection of each part; null: the namespace is being deleted, and nothing can be created in it. */
async function applyEach(
  batch: Live<Batch>,
  actions: readonly BatchAction[],
  applyOne: (action: BatchAction) => Promise<void>,
): Promise<ReadonlyMap<Part, Error> | null> {
  const rejections = new Map<Part, Error>();
  for (const action of actions) {
    const part = partOf(action, batch.metadata.name);
    // A part ends with its first rejection, and a batch with a rejection is not deleted.
    if (rejections.has(part) || (part === 'end' && rejections.size > 0)) continue;
    try {
      await applyOne(action);
    } catch (error) {
      if (isNamespaceTerminating(error)) return null;
      if (!isApiRejection(error)) throw error;
      rejections.set(part, error);
    }
  }
  return rejections;
}

function partOf(action: BatchAction, batch: string): Part {
  switch (action.type) {
    case 'startPrepare':
      return 'prepare';
    case 'startJudge':
      return 'judge';
    case 'createRuns':
      return 'runs';
    case 'deleteBatch':
      return 'end';
    case 'deleteJob':
      return action.name.startsWith(`${batch}-judge-`) ? 'judge' : 'prepare';
  }
}

function notYetCreated(
  created: ReadonlySet<string>,
  action: Extract<BatchAction, { type: 'createRuns' }>,
): typeof action {
  const runs = action.runs.filter((run) => !created.has(run.name)).slice(0, CREATE_AT_ONCE);
  return { ...action, runs };
}

/**
 * The status with the rejected parts as they were before, and the first rejection: what was decided for them did not
 * happen.
 */
function withRejections(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  decision: BatchDecision,
  rejections: ReadonlyMap<Part, Error>,
): BatchDecision {
  const moment = { generation: batch.metadata.generation ?? 0, now: deps.now() };
  const status = [...rejections.keys()].reduce(
    (now, part) => ({ ...now, ...partBefore(batch, now, part) }),
    decision.status,
  );
  const [error] = rejections.values();
  const reason = error instanceof ForeignObject ? 'NameTaken' : 'Refused';
  const message = statusMessage(`The API server rejected an object of this batch: ${error?.message ?? ''}`);
  const type = status.tasks === undefined ? 'Accepted' : 'Progressing';
  return { ...decision, status: withCondition(status, { type, status: 'False', reason, message }, moment) };
}

/**
 * The judge's usage is reset with its status: a Job whose name stays there is read again, and its usage is added again.
 */
function partBefore({ status: old = {} }: Batch, now: BatchDecision['status'], part: Part): BatchDecision['status'] {
  switch (part) {
    case 'prepare':
      return { prepare: old.prepare };
    case 'judge':
      return { judge: old.judge, usage: now.usage && { ...now.usage, judge: old.usage?.judge } };
    case 'runs':
    case 'end':
      return {};
  }
}
