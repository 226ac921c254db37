import { z } from 'zod';
import { podName } from '../../benchmark/protocol/names.ts';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { ApiUnreachable } from '../../kube/errors.ts';
import { JOBS, PODS, type Job, type Pod } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { ignoreGoneOrChanged } from '../api-rejection.ts';
import { BY_OWNER, type ReconcilerDeps } from '../deps.ts';
import { finishedCondition } from '../job/job-finished.ts';
import { jobState } from '../job/job-state.ts';
import { attemptNumber, type PodObject } from '../pod/pod-status.ts';
import { parseTime } from '../timestamps.ts';
import { decideSweep, type SweepFacts, type SweepDecision } from './decide-sweep.ts';
import { sweptAttempt, type SweptAttempt } from './sweep-job.ts';

/** Mailboxes are billed by the month, so half a minute is soon enough. */
const PERIOD_MS = 30_000;

/**
 * Per namespace. Protects the provider, whose limits would be exceeded when a batch with 200 Pods is deleted. A sweep
 * that waits for a node or an image does not delay those of other namespaces.
 */
const MAX_RUNNING = 8;

export interface Sweeper {
  /** Starts no further round, and waits for the one in progress, which finishes its current call at most. */
  stop(): Promise<void>;
}

/**
 * Checks all sweep Jobs every half minute.
 * @param cachesSynced resolves when the caches are synced: only what they do not show then counts as gone.
 */
export function startSweeper(deps: ReconcilerDeps, cachesSynced: Promise<unknown>): Sweeper {
  const sweepOnce = createSweeper(deps);
  const stopping = new AbortController();
  let inProgress: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const startRound = (): void => {
    inProgress ??= sweepOnce(stopping.signal)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'mailbox cleanup failed; it is tried again'))
      .finally(() => {
        inProgress = null;
      });
  };
  const begin = (): void => {
    if (!stopping.signal.aborted) timer = setInterval(startRound, PERIOD_MS).unref();
  };
  cachesSynced.then(begin, () => undefined);
  return {
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await inProgress;
    },
  };
}

/**
 * One round over all sweep Jobs: resumes those of attempts that have ended, and deletes those that are done. It goes by
 * what exists and not by what happened: an operator that was down while batch, run and Pod were deleted finds the Job
 * and nothing else. A Job whose call fails does not keep the others from their turn.
 */
export function createSweeper(deps: ReconcilerDeps): (signal?: AbortSignal) => Promise<void> {
  const reported = new Set<string>();
  return async (signal) => {
    const jobs = deps.jobs.list().flatMap((job) => {
      const of = sweptAttempt(job);
      return of === null ? [] : [{ job, of, reported }];
    });
    const slots = createSlots(jobs.map(({ job }) => job));
    for (const one of jobs) {
      if (signal?.aborted === true) return;
      try {
        if (await reconcileSweepJob(deps, one, slots.isFree(one.job))) slots.take(one.job);
      } catch (error) {
        // Without a response it may have been resumed.
        if (error instanceof ApiUnreachable) slots.take(one.job);
        const { run, attempt } = one.of;
        const namespace = one.job.metadata.namespace ?? '';
        deps.log.warn({ err: error, namespace, run, attempt }, 'the cleanup of a mailbox failed; it is tried again');
      }
    }
    const alive = new Set(jobs.map(({ job }) => job.metadata.uid));
    for (const uid of reported) if (!alive.has(uid)) reported.delete(uid);
  };
}

/** How many more may run, besides those that are running. */
function createSlots(jobs: readonly Job[]): { isFree(of: Job): boolean; take(by: Job): void } {
  const taken = new Map<string, number>();
  const takenBeside = ({ metadata: { namespace = '' } }: Job): number => taken.get(namespace) ?? 0;
  const take = (by: Job): void => void taken.set(by.metadata.namespace ?? '', takenBeside(by) + 1);
  jobs.filter(isRunning).forEach(take);
  return { isFree: (of) => takenBeside(of) < MAX_RUNNING, take };
}

interface SweepJobEntry {
  readonly job: Live<Job>;
  readonly of: SweptAttempt;
  /** UIDs of the Jobs whose final failure was reported. */
  readonly reported: Set<string>;
}

/** @returns whether the Job was resumed. */
async function reconcileSweepJob(deps: ReconcilerDeps, swept: SweepJobEntry, mayResume: boolean): Promise<boolean> {
  const { job, of } = swept;
  const decision = decide(deps, job, of);
  const resumes = decision.do === 'resume';
  if (resumes && !mayResume) return false;
  if ((resumes || decision.do === 'suspend') && (await decideWithLivePod(deps, job, of)).do !== decision.do)
    return false;
  await applySweepDecision(deps, swept, decision);
  return resumes;
}

function isRunning(job: Job): boolean {
  return job.spec?.suspend !== true && finishedCondition(job) === undefined;
}

/** From the caches alone. */
function decide(deps: ReconcilerDeps, job: Live<Job>, of: SweptAttempt): SweepDecision {
  const pods = deps.pods.byIndex(BY_OWNER, of.runUID);
  return decideSweep(factsOf(deps, job, of, pods.find((pod) => attemptNumber(pod) === of.attempt) ?? null));
}

/**
 * From the Pod as the API server has it: a cache that has not seen a new pod yet must not remove its mailbox. A pod
 * with that name and without an owner was orphaned when its run was deleted, and goes on working.
 */
async function decideWithLivePod(deps: ReconcilerDeps, job: Live<Job>, of: SweptAttempt): Promise<SweepDecision> {
  const found = await resource(deps.client, PODS, job.metadata.namespace).find(podName(of.run, of.attempt));
  const owner = found === null ? undefined : controllerOf(found);
  return decideSweep(factsOf(deps, job, of, (owner?.uid ?? of.runUID) === of.runUID ? found : null));
}

function factsOf(deps: ReconcilerDeps, job: Live<Job>, of: SweptAttempt, pod: PodObject | null): SweepFacts {
  const run = continuedRun(deps, job.metadata.namespace ?? '', of);
  return { job, attempt: of.attempt, run: run === null ? null : (run.status ?? {}), pod, now: deps.now() };
}

/** The run, if it will be continued: run and batch exist and are not being deleted. */
function continuedRun(deps: ReconcilerDeps, namespace: string, { run: name, runUID }: SweptAttempt): Live<Run> | null {
  const run = deps.runs.get(`${namespace}/${name}`);
  if (run?.metadata.uid !== runUID || run.metadata.deletionTimestamp !== undefined) return null;
  const { batchRef } = run.spec;
  if (batchRef === undefined) return run;
  const batch = deps.batches.get(`${namespace}/${batchRef.name}`);
  return batch?.metadata.uid === batchRef.uid && batch.metadata.deletionTimestamp === undefined ? run : null;
}

async function applySweepDecision(
  deps: ReconcilerDeps,
  { job, of, reported }: SweepJobEntry,
  decision: SweepDecision,
): Promise<void> {
  const { name, namespace = '', uid } = job.metadata;
  const jobs = resource(deps.client, JOBS, namespace);
  const options = { uid, fieldManager: OPERATOR_FIELD_MANAGER };
  const fields = { namespace, run: of.run, attempt: of.attempt };
  switch (decision.do) {
    case 'wait':
      return;
    case 'resume':
      await ignoreGoneOrChanged(jobs.mergePatch(name, { spec: { suspend: false } }, options));
      deps.log.info(fields, 'the mailbox is being removed');
      return;
    case 'suspend':
      await ignoreGoneOrChanged(jobs.mergePatch(name, { spec: { suspend: true } }, options));
      deps.log.warn(
        fields,
        'the sweep Job of an attempt in progress was resumed by somebody else; it is suspended again',
      );
      return;
    case 'delete':
      await ignoreGoneOrChanged(jobs.delete(name, { uid }));
      return;
    case 'reportFailure': {
      if (reported.has(uid)) return;
      reported.add(uid);
      const why = lastMessageOf(deps, job) ?? decision.message;
      const message = `The mailbox of attempt ${String(of.attempt)} of run ${of.run} could not be removed: ${why}`;
      deps.log.warn({ ...fields, message }, 'the mailbox could not be removed');
      deps.events.event(job, 'Warning', 'MailboxLeft', message);
    }
  }
}

const lastMessage = z.object({ message: z.string() });

/** The message of the program's last try. The Job controller only says that it was the last. */
function lastMessageOf(deps: ReconcilerDeps, job: Live<Job>): string | null {
  const parse = (value: unknown): string | null => lastMessage.safeParse(value).data?.message ?? null;
  const made = (pod: Live<Pod>): number => parseTime(pod.metadata.creationTimestamp) ?? 0;
  const newestFirst = deps.pods.byIndex(BY_OWNER, job.metadata.uid).toSorted((left, right) => made(right) - made(left));
  const views = newestFirst.map((pod) => jobState(job, pod, parse, deps.now()));
  return views.find((view) => view.state === 'Done')?.message ?? null;
}
