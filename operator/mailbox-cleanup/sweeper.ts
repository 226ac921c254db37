import { z } from 'zod';
import { OPERATOR_FIELD_MANAGER } from '../../crds/group.ts';
import { podName } from '../../benchmark/protocol/names.ts';
import { ApiUnreachable } from '../../kube/errors.ts';
import { JOBS, PODS, type Job, type Pod } from '../../kube/kinds.ts';
import { controllerOf, type Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { jobState } from '../job/job-state.ts';
import { ignoreGoneOrChanged } from '../api-rejection.ts';
import { BY_OWNER, type ReconcilerDeps } from '../deps.ts';
import { finishedCondition } from '../job/job-finished.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { type PodObject, attemptNumber } from '../pod/pod-status.ts';
import { decideSweep, type SweepFacts, type SweepDecision } from './decide-sweep.ts';
import { sweptAttempt, type SweptAttempt } from './sweep-job.ts';
import { parseTime } from '../timestamps.ts';

/** A mailbox costs by the month; half a minute is soon. */
const PERIOD_MS = 30_000;

/**
 * In each namespace. Gentle to the provider, whose limits a batch that is deleted with 200 Pods would meet; sweeps that
 * find no node or no image hold up nobody else's.
 */
const AT_ONCE = 8;

export interface Sweeper {
  /** No new look; waits for the one under way, which does no more than the call it is at. */
  stop(): Promise<void>;
}

/**
 * Looks at all sweep Jobs every half minute.
 * @param whole resolves when the caches are filled: only what they do not show then is taken for gone.
 */
export function startSweeper(deps: ReconcilerDeps, whole: Promise<unknown>): Sweeper {
  const look = createSweeper(deps);
  const stopping = new AbortController();
  let underWay: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const turn = (): void => {
    underWay ??= look(stopping.signal)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'mailbox cleanup failed; it is tried again'))
      .finally(() => {
        underWay = null;
      });
  };
  const begin = (): void => {
    if (!stopping.signal.aborted) timer = setInterval(turn, PERIOD_MS).unref();
  };
  whole.then(begin, () => undefined);
  return {
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await underWay;
    },
  };
}

/**
 * One look at all sweep Jobs. Lets the sweep Jobs of attempts run that are over, and takes away those that are done. It
 * goes by what is there and not by what happened: an operator that was away while batch, run and Pod were deleted finds
 * the Job, and nothing else. A Job at which a call fails keeps no other from its turn.
 */
export function createSweeper(deps: ReconcilerDeps): (signal?: AbortSignal) => Promise<void> {
  const reported = new Set<string>();
  return async (signal) => {
    const jobs = deps.jobs.list().flatMap((job) => {
      const of = sweptAttempt(job);
      return of === null ? [] : [{ job, of, reported }];
    });
    const places = createSlots(jobs.map(({ job }) => job));
    for (const one of jobs) {
      if (signal?.aborted === true) return;
      try {
        if (await reconcileSweepJob(deps, one, places.isFree(one.job))) places.take(one.job);
      } catch (error) {
        // Without an answer it may have been let run.
        if (error instanceof ApiUnreachable) places.take(one.job);
        const { run, attempt } = one.of;
        const namespace = one.job.metadata.namespace ?? '';
        deps.log.warn({ err: error, namespace, run, attempt }, 'the cleanup of a mailbox failed; it is tried again');
      }
    }
    const alive = new Set(jobs.map(({ job }) => job.metadata.uid));
    for (const uid of reported) if (!alive.has(uid)) reported.delete(uid);
  };
}

/** Where more may be let run, beside those that run. */
function createSlots(jobs: readonly Job[]): { isFree(of: Job): boolean; take(by: Job): void } {
  const taken = new Map<string, number>();
  const takenBeside = ({ metadata: { namespace = '' } }: Job): number => taken.get(namespace) ?? 0;
  const take = (by: Job): void => void taken.set(by.metadata.namespace ?? '', takenBeside(by) + 1);
  jobs.filter(isRunning).forEach(take);
  return { isFree: (of) => takenBeside(of) < AT_ONCE, take };
}

interface Swept {
  readonly job: Live<Job>;
  readonly of: SweptAttempt;
  /** UIDs of the Jobs that gave up, and of which that was told. */
  readonly reported: Set<string>;
}

/** @returns whether it was let run. */
async function reconcileSweepJob(deps: ReconcilerDeps, swept: Swept, mayRelease: boolean): Promise<boolean> {
  const { job, of } = swept;
  const verdict = decide(deps, job, of);
  const releases = verdict.do === 'release';
  if (releases && !mayRelease) return false;
  if ((releases || verdict.do === 'suspend') && (await decideWithLivePod(deps, job, of)).do !== verdict.do)
    return false;
  await applySweepDecision(deps, swept, verdict);
  return releases;
}

function isRunning(job: Job): boolean {
  return job.spec?.suspend !== true && finishedCondition(job) === undefined;
}

/** As far as the caches show. */
function decide(deps: ReconcilerDeps, job: Live<Job>, of: SweptAttempt): SweepDecision {
  const pods = deps.pods.byIndex(BY_OWNER, of.runUID);
  return decideSweep(factsOf(deps, job, of, pods.find((pod) => attemptNumber(pod) === of.attempt) ?? null));
}

/**
 * A cache that has not seen a new pod yet must not take its mailbox away. A pod of that name without an owner was
 * orphaned when its run was deleted, and works on.
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

/** The run, if somebody continues it: it and its batch are there and not on their way out. */
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
  { job, of, reported }: Swept,
  verdict: SweepDecision,
): Promise<void> {
  const { name, namespace = '', uid } = job.metadata;
  const jobs = resource(deps.client, JOBS, namespace);
  const options = { uid, fieldManager: OPERATOR_FIELD_MANAGER };
  const fields = { namespace, run: of.run, attempt: of.attempt };
  switch (verdict.do) {
    case 'wait':
      return;
    case 'release':
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
    case 'tell': {
      if (reported.has(uid)) return;
      reported.add(uid);
      const why = lastMessageOf(deps, job) ?? verdict.message;
      const message = `The mailbox of attempt ${String(of.attempt)} of run ${of.run} could not be removed: ${why}`;
      deps.log.warn({ ...fields, message }, 'the mailbox could not be removed');
      deps.events.event(job, 'Warning', 'MailboxLeft', message);
    }
  }
}

const lastMessage = z.object({ message: z.string() });

/** What the program said at its last try, of which the Job controller only says that it was the last. */
function lastMessageOf(deps: ReconcilerDeps, job: Live<Job>): string | null {
  const parse = (value: unknown): string | null => lastMessage.safeParse(value).data?.message ?? null;
  const made = (pod: Live<Pod>): number => parseTime(pod.metadata.creationTimestamp) ?? 0;
  const newestFirst = deps.pods.byIndex(BY_OWNER, job.metadata.uid).toSorted((left, right) => made(right) - made(left));
  const views = newestFirst.map((pod) => jobState(job, pod, parse, deps.now()));
  return views.find((view) => view.state === 'Done')?.message ?? null;
}
