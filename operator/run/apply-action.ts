import { podName } from '../../benchmark/protocol/names.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { ensureOwned } from '../../kube/ensure-owned.ts';
import { PODS } from '../../kube/kinds.ts';
import { ownerReference } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { ignoreGoneOrChanged, isApiRejection } from '../api-rejection.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { ATTEMPT_LABEL, RUN_LABEL, runLabels } from '../labels.ts';
import { deleteSweepJob, ensureSweepJob, SweepJobActive } from '../mailbox-cleanup/ensure-sweep.ts';
import { buildPod } from '../pod/build-pod.ts';
import { attemptNumber } from '../pod/pod-status.ts';
import { stopPatch } from '../pod/stop-annotations.ts';
import { REJECTED_RETRY_MS } from '../retry-delays.ts';
import { statusMessage } from '../status-message.ts';
import type { RunAction, RunDecision } from './decide.ts';
import { podModels } from './gateway-config.ts';
import type { RunContext } from './load.ts';
import { runConfigOf } from './run-config.ts';

/**
 * Applies a decision. If the API server rejects the pod (quota, admission, a name that is taken), or what the pod
 * needs, that is back-pressure and not a failure: the run stays queued, and its `pendingReason` says why.
 * @returns the decision as it was applied.
 */
export async function applyRunDecision(
  deps: ReconcilerDeps,
  context: RunContext,
  decision: RunDecision,
): Promise<RunDecision> {
  for (const action of decision.actions) {
    if (action.type !== 'create') {
      await applyAction(deps, context, action);
      continue;
    }
    const rejection = await createPod(deps, context, action.attempt);
    if (rejection === null) continue;
    const status = { ...context.run.status, phase: 'Queued' as const, pendingReason: statusMessage(rejection) };
    return { status, actions: [], requeueAt: deps.now() + REJECTED_RETRY_MS };
  }
  return decision;
}

/** @returns why the pod was not created; null: it was created, with everything it needs. */
async function createPod(deps: ReconcilerDeps, context: RunContext, attempt: number): Promise<string | null> {
  const { run, beforePod } = context;
  const pods = resource(deps.client, PODS, run.metadata.namespace);
  const options = { fieldManager: OPERATOR_FIELD_MANAGER };
  const steps: readonly [string, () => Promise<unknown> | undefined][] = [
    ['An object that the pod needs', () => beforePod?.()],
    ['The mailbox cleanup Job', () => ensureSweepJob(deps, context, attempt)],
    ['The pod', () => ensureOwned(pods, podFor(deps, context, attempt), run, options)],
  ];
  for (const [what, make] of steps) {
    try {
      await make();
    } catch (error) {
      if (error instanceof SweepJobActive) return error.message;
      if (!isApiRejection(error)) throw error;
      return `${what} was rejected: ${error.message}`;
    }
  }
  return null;
}

type OtherAction = Exclude<RunAction, { type: 'create' }>;

async function applyAction(deps: ReconcilerDeps, context: RunContext, action: OtherAction): Promise<void> {
  const pods = resource(deps.client, PODS, context.run.metadata.namespace);
  switch (action.type) {
    case 'deleteSweepJob':
      return deleteSweepJob(deps, context, action.attempt);
    case 'stop': {
      const { name, uid } = action.pod.metadata;
      await ignoreGoneOrChanged(
        pods.mergePatch(name, stopPatch(action.stopRequest, deps.now()), { uid, fieldManager: OPERATOR_FIELD_MANAGER }),
      );
      return;
    }
    case 'delete': {
      const { name, uid, resourceVersion = '' } = action.pod.metadata;
      const options = { grace: {}, force: { gracePeriodSeconds: 0 }, unscheduled: { resourceVersion } }[action.how];
      const isDone = await ignoreGoneOrChanged(pods.delete(name, { uid, ...options }));
      // It never had a node, so it created no mailbox. The sweep Job would only wait for the same nodes as the pod did.
      if (isDone === true && action.how === 'unscheduled')
        await deleteSweepJob(deps, context, attemptNumber(action.pod));
    }
  }
}

function podFor(
  deps: ReconcilerDeps,
  { run, batch, taskEntry }: RunContext,
  attempt: number,
): ReturnType<typeof buildPod> {
  const { spec } = batch;
  const { labels, annotations } = runLabels({
    batch: batch.metadata.name,
    model: run.spec.model,
    harness: run.spec.harness.name,
    task: taskEntry.case,
  });
  return buildPod({
    name: podName(run.metadata.name, attempt),
    owner: ownerReference(run),
    labels: { ...labels, [RUN_LABEL]: run.metadata.name, [ATTEMPT_LABEL]: String(attempt) },
    annotations,
    config: runConfigOf(run, batch, { taskEntry, number: attempt }, deps.images),
    harness: run.spec.harness,
    images: deps.images,
    deadlines: spec.deadlines,
    storeSecret: spec.artifacts.s3.secretRef?.name ?? null,
    suiteConfigMap: spec.suite.configMapRef?.name ?? null,
    mailSecret: spec.mail.provider === 'None' ? null : (spec.mail.secretRef?.name ?? null),
    models: podModels(run, batch),
    podTemplate: spec.podTemplate,
  });
}
