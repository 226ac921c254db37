import type { SweepMessage, SweepRow } from '../../benchmark/protocol/sweep.ts';
import type { ClawBenchBatchSpec } from '../../crds/batch.ts';
import type { SweepStatus } from '../../crds/status/shared.ts';
import type { Run } from '../kinds.ts';
import type { Live } from '../../kube/object.ts';
import { time } from '../run/pod-object.ts';
import type { BatchAction } from './actions.ts';
import { jobDelayMs, type JobView } from './job-view.ts';
import { rfc3339 } from './moment.ts';
import { attemptsOf, sweepJobName } from './sweep-job.ts';

/** The active sweep Job: how it stands, and how many attempts its list has. */
export interface SweepJob {
  readonly view: JobView<SweepMessage>;
  readonly attempts: number;
}

export interface SweepInput {
  readonly batch: string;
  readonly mail: ClawBenchBatchSpec['mail'];
  readonly runs: readonly Live<Run>[];
  readonly job: SweepJob | null;
  /** No run has its agent still to come. */
  readonly settled: boolean;
  readonly pendingSeconds: number;
  readonly now: number;
}

export interface SweepDecision {
  readonly sweep: SweepStatus | undefined;
  readonly actions: readonly BatchAction[];
  readonly checkAt: number | null;
  /** A Job works or is still to come: what it needs must not be deleted. */
  readonly open: boolean;
}

/** A provider that refuses for hours will not be asked for ever; the sentence stays in the status. */
const TRIES = 8;

/**
 * Once all agents are done, one Job removes the mailboxes that their Pods may have left: a Pod that was killed could not.
 * After a rerun there are more attempts than were swept, so there is another.
 */
export function sweepStep(last: SweepStatus | undefined, input: SweepInput): SweepDecision {
  const sweep = last ?? { number: 0 };
  if (sweep.name !== undefined && input.job !== null) return readJob({ ...sweep, name: sweep.name }, input.job, input);
  const rows = sweepRows(input);
  if (!isDue(sweep, rows)) return { sweep: last, actions: [], checkAt: null, open: false };
  const notBefore = time(sweep.retryTime) ?? 0;
  if (input.now < notBefore) return { sweep, actions: [], checkAt: notBefore, open: true };
  const number = sweep.number + 1;
  return {
    sweep: { ...sweep, number, name: sweepJobName(input.batch, number), retryTime: undefined },
    actions: [{ type: 'startSweep', number, rows }],
    checkAt: null,
    open: true,
  };
}

function isDue({ swept = 0, failures = 0 }: SweepStatus, rows: readonly SweepRow[]): boolean {
  return rows.length > 0 && swept < attemptsOf(rows) && failures < TRIES;
}

/** The user's own mailbox is never removed, and without mail there is none. */
function sweepRows({ mail, runs, settled }: SweepInput): SweepRow[] {
  if (!settled || mail.provider === 'None' || mail.provider === 'Static') return [];
  return runs
    .map(({ metadata, status }) => ({ uid: metadata.uid, attempts: status?.attempt ?? 0 }))
    .filter(({ attempts }) => attempts > 0);
}

function readJob(
  sweep: SweepStatus & { name: string },
  { view, attempts }: SweepJob,
  input: SweepInput,
): SweepDecision {
  switch (view.state) {
    case 'Active': {
      const deadline = view.since + input.pendingSeconds * 1000;
      if (view.waiting === null) return { sweep, actions: [], checkAt: null, open: true };
      if (input.now < deadline) return { sweep, actions: [], checkAt: deadline, open: true };
      return { ...failed(sweep, view.waiting, input.now), actions: [{ type: 'deleteJob', name: sweep.name }] };
    }
    case 'Failed':
      return failed(sweep, view.sentence, input.now);
    case 'Done':
      if (!view.message.ok) return failed(sweep, view.message.message, input.now);
      return {
        sweep: { number: sweep.number, swept: attempts, message: view.message.message },
        actions: [],
        checkAt: null,
        open: false,
      };
  }
}

function failed(sweep: SweepStatus, message: string, now: number): SweepDecision {
  const failures = (sweep.failures ?? 0) + 1;
  const retryAt = now + jobDelayMs(failures, 600_000);
  const next = { ...sweep, name: undefined, failures, message, retryTime: rfc3339(retryAt) };
  return { sweep: next, actions: [], checkAt: retryAt, open: failures < TRIES };
}
