import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { caseOf } from '../../crds/run-as-batch.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { RUNS, type Batch, type Run } from '../../kube/clawbench-kinds.ts';
import { ensureOwned } from '../../kube/ensure-owned.ts';
import { isNamespaceTerminating } from '../../kube/errors.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import type { Live } from '../../kube/object.ts';
import type { Requeue } from '../../kube/queue.ts';
import { resource } from '../../kube/resource.ts';
import { isApiRejection } from '../api-rejection.ts';
import { applyBatchAction, ensureNetworkPolicy } from '../batch/apply-action.ts';
import { loadJudgeJob } from '../batch/load-jobs.ts';
import type { SpecProblem } from '../batch/validate-spec.ts';
import { withCondition } from '../conditions.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { withImmutableFieldHint } from '../immutable-field.ts';
import { CONFLICT_RETRY_MS, REJECTED_RETRY_MS } from '../retry-delays.ts';
import { applyRunDecision } from '../run/apply-action.ts';
import { attemptInProgress } from '../run/attempts.ts';
import { decideRun, type RunInput } from '../run/decide.ts';
import { loadRun, type RunContext } from '../run/load.ts';
import { recordRejection, recordRunEvents } from '../run/record-run-events.ts';
import { statusMessage } from '../status-message.ts';
import { parseTime } from '../timestamps.ts';
import { writeStatus } from '../write-status.ts';
import { asBatch, standaloneFacts, standaloneTaskEntry } from './as-batch.ts';
import { buildTaskMap, readInlineTask } from './inline-task.ts';
import { decideStandaloneJudge, type JudgeDecision } from './judge.ts';
import { validateRunSpec, validateSuite } from './validate-spec.ts';

/** Reconciles a standalone run: validate it, run it like any run, judge it, delete it after its TTL. */
export function createStandaloneRunReconciler(deps: ReconcilerDeps): (run: Live<Run>) => Promise<Requeue | void> {
  return async (run) => {
    const batch = asBatch(run);
    const context = {
      run,
      batch,
      taskEntry: standaloneTaskEntry(run),
      beforePod: () => createPrerequisites(deps, run, batch),
    };
    const judge = decideStandaloneJudge(
      run,
      batch,
      await loadJudgeJob(deps, batch, run.status?.judge?.name),
      deps.now(),
    );
    const input = { ...(await loadRun(deps, context)), ...standaloneRules(run, batch, judge) };
    const problem = hasStarted(input) || input.cancel ? null : await findProblem(deps, run, batch);
    if (problem !== null) return rejectRun(deps, run, problem);
    if (await deleteIfExpired(deps, run, judge.open)) return;
    return continueRun(deps, context, judge, input);
  };
}

async function continueRun(
  deps: ReconcilerDeps,
  context: RunContext,
  judge: JudgeDecision,
  input: RunInput,
): Promise<Requeue | void> {
  const { run, batch } = context;
  const decision = await applyRunDecision(deps, context, decideRun(input));
  const judged = await applyJudgeActions(deps, batch, run, judge);
  const usage = judged.spent === undefined ? {} : { usage: { ...decision.status.usage, judge: judged.spent } };
  const next = withPendingReason({ ...decision.status, ...usage, judge: judged.judge }, batch);
  const written = await writeStatus(resource(deps.client, RUNS), run, next);
  if (written.result === 'stale') return { requeueAfterMs: CONFLICT_RETRY_MS };
  if (written.result === 'written') recordRunEvents(deps, run, written.object, batch.spec.suite.name);
  return requeue([decision.requeueAt, judged.requeueAt, judge.open ? null : expiry(run)], deps.now());
}

/** What a batch would decide for its run: whether it is admitted, and whether verdicts are still waited for. */
function standaloneRules(
  run: Live<Run>,
  batch: Live<Batch>,
  judge: JudgeDecision,
): Pick<RunInput, 'facts' | 'admitted'> {
  const admitted = !batch.spec.suspend || (run.status?.attempt ?? 0) > 0;
  return { facts: standaloneFacts(batch, judge.ended), admitted };
}

function hasStarted({ status = {}, pods }: RunInput): boolean {
  return (status.attempt ?? 0) > 0 || status.outcome !== undefined || attemptInProgress(status, pods) !== null;
}

async function findProblem(deps: ReconcilerDeps, run: Live<Run>, batch: Live<Batch>): Promise<SpecProblem | null> {
  const problem = validateRunSpec(run, batch, deps.images);
  if (problem !== null) return { ...problem, message: withImmutableFieldHint(problem.message, 'run') };
  return validateSuite(deps, run);
}

async function rejectRun(deps: ReconcilerDeps, run: Live<Run>, problem: SpecProblem): Promise<Requeue> {
  const moment = { generation: run.metadata.generation ?? 0, now: deps.now() };
  const status: ClawBenchRunStatus = {
    ...run.status,
    ...problem,
    observedGeneration: moment.generation,
    phase: 'Queued',
    task: caseOf(run),
  };
  const rejected = withCondition(status, { type: 'Accepted', status: 'False', ...problem }, moment);
  const complete = { type: 'Complete', status: 'False', reason: 'NotAccepted', message: problem.message } as const;
  const written = await writeStatus(resource(deps.client, RUNS), run, withCondition(rejected, complete, moment));
  if (written.result === 'written') recordRejection(deps, run, problem);
  return { requeueAfterMs: written.result === 'stale' ? CONFLICT_RETRY_MS : REJECTED_RETRY_MS };
}

/** Creates what a pod of the run needs. */
async function createPrerequisites(deps: ReconcilerDeps, run: Live<Run>, batch: Live<Batch>): Promise<void> {
  await ensureNetworkPolicy(deps, batch);
  const { inline } = run.spec.task;
  if (inline === undefined) return;
  const maps = resource(deps.client, CONFIG_MAPS, run.metadata.namespace);
  const map = buildTaskMap(run, readInlineTask(inline).text);
  await ensureOwned(maps, map, run, { fieldManager: OPERATOR_FIELD_MANAGER });
}

/** Starts or deletes judge Jobs. A Job that the API server rejects is tried again, and the run's status says why. */
async function applyJudgeActions(
  deps: ReconcilerDeps,
  batch: Live<Batch>,
  run: Live<Run>,
  judge: JudgeDecision,
): Promise<Pick<JudgeDecision, 'judge' | 'spent' | 'requeueAt'>> {
  try {
    for (const action of judge.actions) await applyBatchAction(deps, batch, action);
    return judge;
  } catch (error) {
    if (isNamespaceTerminating(error)) return { judge: run.status?.judge, spent: undefined, requeueAt: null };
    if (!isApiRejection(error)) throw error;
    const message = statusMessage(`The API server rejected an object of the judge Job: ${error.message}`);
    return {
      judge: { number: 0, ...run.status?.judge, message },
      spent: undefined,
      requeueAt: deps.now() + REJECTED_RETRY_MS,
    };
  }
}

/** Why the run waits, if its pod is not the reason. */
function withPendingReason(status: ClawBenchRunStatus, batch: Live<Batch>): ClawBenchRunStatus {
  if (status.phase === 'Judging') return { ...status, pendingReason: status.judge?.message };
  if (status.phase !== 'Queued' || !batch.spec.suspend || (status.attempt ?? 0) > 0) return status;
  return { ...status, pendingReason: 'spec.suspend is true; set it to false to start the run.' };
}

/** Deletes the run after its TTL. Everything that it owns is deleted with it. */
async function deleteIfExpired(deps: ReconcilerDeps, run: Live<Run>, open: boolean): Promise<boolean> {
  const at = expiry(run);
  if (at === null || open || deps.now() < at) return false;
  const { name, namespace, uid } = run.metadata;
  await resource(deps.client, RUNS, namespace).delete(name, { uid });
  return true;
}

function expiry({ status = {}, spec }: Live<Run>): number | null {
  const completed = status.phase === 'Complete' ? parseTime(status.times?.completed) : null;
  const { ttlSecondsAfterFinished: ttl } = spec;
  return completed === null || ttl === undefined ? null : completed + ttl * 1000;
}

function requeue(times: readonly (number | null)[], now: number): Requeue | void {
  const known = times.filter((at) => at !== null);
  if (known.length > 0) return { requeueAfterMs: Math.max(50, Math.min(...known) - now) };
}
