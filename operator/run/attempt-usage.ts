import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { costColumn, replaceUsage, sumUsages, type Spending } from '../progress/usage-sum.ts';

/**
 * Usage of each attempt, and of the run as their sum. The final usage comes with the attempt's report. If an attempt
 * dies without one (recorder lost, Pod deleted, node gone), what its recorder last reported is a lower bound. It counts
 * all the same, also against the run's caps: a node that dies every few minutes must not let an agent spend without
 * limit.
 */

/** The status with this usage of an attempt, in the attempt's entry and in the run's sum. */
export function withAttemptUsage(status: ClawBenchRunStatus, number: number, spent: Spending): ClawBenchRunStatus {
  const { attempts = [], usage } = status;
  const before = usageOf(status, number) ?? {};
  const own = sumUsages([spent]);
  const all = replaceUsage(usage ?? {}, before, own);
  return {
    ...status,
    attempts: attempts.map((attempt) => (attempt.number === number ? { ...attempt, usage: own } : attempt)),
    usage: { ...usage, ...all },
    columns: { cost: costColumn(all) },
  };
}

/**
 * The status with the live usage of an attempt. Less than before comes from a recorder that restarted, and is ignored.
 */
export function withLiveUsage(
  status: ClawBenchRunStatus,
  number: number,
  liveUsage: Spending | null,
): ClawBenchRunStatus {
  if (liveUsage === null || isZero(liveUsage) || isHigher(usageOf(status, number) ?? {}, liveUsage)) return status;
  return withAttemptUsage(status, number, liveUsage);
}

export interface FinalUsage {
  /** The final message of the recorder or the shim. */
  readonly report: OutcomeMessage | null;
  /** The usage that the recorder last reported while it worked. */
  readonly liveUsage: Spending | null;
  /** Whether the attempt may have called its model. */
  readonly maySpend: boolean;
}

/** The status with everything known of the usage of an attempt that ended. */
export function withFinalUsage(status: ClawBenchRunStatus, number: number, known: FinalUsage): ClawBenchRunStatus {
  const { report, maySpend } = known;
  const liveUsage = usageOf(withLiveUsage(status, number, known.liveUsage), number) ?? {};
  const reported = report?.usage ?? {};
  if (report !== null && isFinalUsage(report, liveUsage)) return withAttemptUsage(status, number, reported);
  if (!maySpend && isZero(liveUsage)) return status;
  return withAttemptUsage(status, number, {
    ...(isHigher(liveUsage, reported) ? liveUsage : reported),
    unreportedAttempts: 1,
  });
}

/** A complete bundle has the final usage. A report written in haste may lack what was reported before. */
function isFinalUsage(report: OutcomeMessage, liveUsage: Spending): boolean {
  if (report.evidence === 'Complete') return true;
  return report.reason !== REPORTS_WITHOUT_USAGE && !isHigher(liveUsage, report.usage);
}

/** The recorder leaves this report, with the usage so far, in case it dies. */
const REPORTS_WITHOUT_USAGE = 'RecorderRestarted';

function usageOf({ attempts = [] }: ClawBenchRunStatus, number: number): Spending | undefined {
  return attempts.find((attempt) => attempt.number === number)?.usage;
}

function isZero(spent: Spending): boolean {
  return !isHigher(spent, {});
}

/** Compares what only grows. The cost becomes unknown as soon as one call has no price. */
function isHigher(one: Spending, other: Spending): boolean {
  const of = ({ tokens = 0, apiCalls = 0 }: Spending): readonly [number, number] => [tokens, apiCalls];
  const [[tokens, calls], [otherTokens, otherCalls]] = [of(one), of(other)];
  return tokens > otherTokens || calls > otherCalls;
}
