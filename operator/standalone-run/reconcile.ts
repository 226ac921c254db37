import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { ensureOwned } from '../../kube/ensure-owned.ts';
import { isNamespaceTerminating } from '../../kube/errors.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { caseOf } from '../../crds/run-as-batch.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import type { Live } from '../../kube/object.ts';
import type { Requeue } from '../../kube/queue.ts';
import { resource } from '../../kube/resource.ts';
import { carryOutBatch, ensureNetworkPolicy } from '../batch/apply-action.ts';
import { viewJudge } from '../batch/load-jobs.ts';
import type { Cluster } from '../deps.ts';
import { withRemedy } from '../immutable-field.ts';
import { RUNS, type Batch, type Run } from '../../kube/clawbench-kinds.ts';
import { isRefusal } from '../api-rejection.ts';
import { carryOutRun } from '../run/apply-action.ts';
import { inFlight } from '../run/attempts.ts';
import { decideRun, type RunInput } from '../run/decide.ts';
import { loadRun, type RunContext } from '../run/load.ts';
import { tellRefusal, tellRun } from '../run/record-run-events.ts';
import { CONFLICT_RETRY_MS, REJECTED_RETRY_MS } from '../retry-delays.ts';
import { writeStatus } from '../write-status.ts';
import { asBatch, factsByHand, placeByHand } from './as-batch.ts';
import { buildTaskMap, readInlineTask } from './inline-task.ts';
import { judgeByHand, type JudgeDecision } from './judge.ts';
import { runProblem, suiteProblem, type Problem } from './validate-spec.ts';
import { withCondition } from '../conditions.ts';
import { statusMessage } from '../status-message.ts';
import { parseTime } from '../timestamps.ts';

/** Brings a run that was made by hand nearer to its end: accept, run as any run, judge, delete in time. */
export function createByHandReconciler(cluster: Cluster): (run: Live<Run>) => Promise<Requeue | void> {
  return async (run) => {
    const batch = asBatch(run);
    const context = { run, batch, place: placeByHand(run), beforePod: () => makeReady(cluster, run, batch) };
    const judge = judgeByHand(run, batch, await viewJudge(cluster, batch, run.status?.judge?.name), cluster.now());
    const input = { ...(await loadRun(cluster, context)), ...ownRules(run, batch, judge) };
    const problem = isBegun(input) || input.cancel ? null : await problemOf(cluster, run, batch);
    if (problem !== null) return refuse(cluster, run, problem);
    if (await expired(cluster, run, judge.open)) return;
    return goOn(cluster, context, judge, input);
  };
}

async function goOn(
  cluster: Cluster,
  context: RunContext,
  judge: JudgeDecision,
  input: RunInput,
): Promise<Requeue | void> {
  const { run, batch } = context;
  const decision = await carryOutRun(cluster, context, decideRun(input));
  const judged = await carryOutJudge(cluster, batch, run, judge);
  const usage = judged.spent === undefined ? {} : { usage: { ...decision.status.usage, judge: judged.spent } };
  const next = explained({ ...decision.status, ...usage, judge: judged.judge }, batch);
  const written = await writeStatus(resource(cluster.client, RUNS), run, next);
  if (written.result === 'stale') return { requeueAfterMs: CONFLICT_RETRY_MS };
  if (written.result === 'written') tellRun(cluster, run, written.object, batch.spec.suite.name);
  return requeue([decision.checkAt, judged.checkAt, judge.open ? null : expiry(run)], cluster.now());
}

/** Where a run is its own batch: nobody lets it in, and its own end is the batch's. */
function ownRules(run: Live<Run>, batch: Live<Batch>, judge: JudgeDecision): Pick<RunInput, 'facts' | 'admitted'> {
  const admitted = !batch.spec.suspend || (run.status?.attempt ?? 0) > 0;
  return { facts: factsByHand(batch, judge.ended), admitted };
}

function isBegun({ status = {}, pods }: RunInput): boolean {
  return (status.attempt ?? 0) > 0 || status.outcome !== undefined || inFlight(status, pods) !== null;
}

async function problemOf(cluster: Cluster, run: Live<Run>, batch: Live<Batch>): Promise<Problem | null> {
  const problem = runProblem(run, batch, cluster.images);
  if (problem !== null) return { ...problem, message: withRemedy(problem.message, 'run') };
  return suiteProblem(cluster, run);
}

async function refuse(cluster: Cluster, run: Live<Run>, problem: Problem): Promise<Requeue> {
  const moment = { generation: run.metadata.generation ?? 0, now: cluster.now() };
  const status: ClawBenchRunStatus = {
    ...run.status,
    ...problem,
    observedGeneration: moment.generation,
    phase: 'Queued',
    task: caseOf(run),
  };
  const refused = withCondition(status, { type: 'Accepted', status: 'False', ...problem }, moment);
  const complete = { type: 'Complete', status: 'False', reason: 'NotAccepted', message: problem.message } as const;
  const written = await writeStatus(resource(cluster.client, RUNS), run, withCondition(refused, complete, moment));
  if (written.result === 'written') tellRefusal(cluster, run, problem);
  return { requeueAfterMs: written.result === 'stale' ? CONFLICT_RETRY_MS : REJECTED_RETRY_MS };
}

/** What a pod of the run needs beside it. */
async function makeReady(cluster: Cluster, run: Live<Run>, batch: Live<Batch>): Promise<void> {
  await ensureNetworkPolicy(cluster, batch);
  const { inline } = run.spec.task;
  if (inline === undefined) return;
  const maps = resource(cluster.client, CONFIG_MAPS, run.metadata.namespace);
  const map = buildTaskMap(run, readInlineTask(inline).text);
  await ensureOwned(maps, map, run, { fieldManager: OPERATOR_FIELD_MANAGER });
}

/** A Job that the API server refuses is tried again, and the run says why. */
async function carryOutJudge(
  cluster: Cluster,
  batch: Live<Batch>,
  run: Live<Run>,
  judge: JudgeDecision,
): Promise<Pick<JudgeDecision, 'judge' | 'spent' | 'checkAt'>> {
  try {
    for (const action of judge.actions) await carryOutBatch(cluster, batch, action);
    return judge;
  } catch (error) {
    if (isNamespaceTerminating(error)) return { judge: run.status?.judge, spent: undefined, checkAt: null };
    if (!isRefusal(error)) throw error;
    const message = statusMessage(`The API server refused an object of the judge Job: ${error.message}`);
    return {
      judge: { number: 0, ...run.status?.judge, message },
      spent: undefined,
      checkAt: cluster.now() + REJECTED_RETRY_MS,
    };
  }
}

/** Why it waits, when that is not its pod's doing. */
function explained(status: ClawBenchRunStatus, batch: Live<Batch>): ClawBenchRunStatus {
  if (status.phase === 'Judging') return { ...status, pendingReason: status.judge?.message };
  if (status.phase !== 'Queued' || !batch.spec.suspend || (status.attempt ?? 0) > 0) return status;
  return { ...status, pendingReason: 'spec.suspend is true: set it to false to start the run.' };
}

/** Deletes the run when its time is over; all that it made goes with it. */
async function expired(cluster: Cluster, run: Live<Run>, open: boolean): Promise<boolean> {
  const at = expiry(run);
  if (at === null || open || cluster.now() < at) return false;
  const { name, namespace, uid } = run.metadata;
  await resource(cluster.client, RUNS, namespace).delete(name, { uid });
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
