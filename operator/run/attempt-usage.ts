import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { costColumn, replacePart, sumUsages, type Spending } from '../progress/usage-sum.ts';

/**
 * What each attempt spent, and with it the run. The bill comes with the attempt's report; of one that dies without it
 * (recorder lost, Pod deleted, node gone) the last that its recorder said is known, as a lower bound. It counts all the
 * same, also against the run's caps: a node that dies every few minutes must not make an agent that costs without end.
 */

/** The status in which this attempt spent so much, in its own entry and in the run's sum. */
export function withAttemptUsage(status: ClawBenchRunStatus, number: number, spent: Spending): ClawBenchRunStatus {
  const { attempts = [], usage } = status;
  const before = usageOf(status, number) ?? {};
  const own = sumUsages([spent]);
  const all = replacePart(usage ?? {}, before, own);
  return {
    ...status,
    attempts: attempts.map((attempt) => (attempt.number === number ? { ...attempt, usage: own } : attempt)),
    usage: { ...usage, ...all },
    columns: { cost: costColumn(all) },
  };
}

/** The same with what its recorder says while it works; less than it said before is a recorder that began anew. */
export function withLiveUsage(
  status: ClawBenchRunStatus,
  number: number,
  liveUsage: Spending | null,
): ClawBenchRunStatus {
  if (liveUsage === null || isNothing(liveUsage) || isMore(usageOf(status, number) ?? {}, liveUsage)) return status;
  return withAttemptUsage(status, number, liveUsage);
}

export interface FinalUsage {
  /** What recorder or shim said at the end. */
  readonly report: OutcomeMessage | null;
  /** What the recorder last said while it worked. */
  readonly liveUsage: Spending | null;
  /** The attempt can have called its model. */
  readonly maySpend: boolean;
}

/** The status in which this attempt, which ended, spent what is known of it. */
export function withFinalUsage(status: ClawBenchRunStatus, number: number, bill: FinalUsage): ClawBenchRunStatus {
  const { report, maySpend } = bill;
  const liveUsage = usageOf(withLiveUsage(status, number, bill.liveUsage), number) ?? {};
  const reported = report?.usage ?? {};
  if (report !== null && isFinalUsage(report, liveUsage)) return withAttemptUsage(status, number, reported);
  if (!maySpend && isNothing(liveUsage)) return status;
  return withAttemptUsage(status, number, {
    ...(isMore(liveUsage, reported) ? liveUsage : reported),
    unreportedAttempts: 1,
  });
}

/** A whole bundle has the whole bill; what was said in haste may lack what was heard before. */
function isFinalUsage(report: OutcomeMessage, liveUsage: Spending): boolean {
  if (report.evidence === 'Complete') return true;
  return report.reason !== REPORTS_WITHOUT_USAGE && !isMore(liveUsage, report.usage);
}

/** The recorder left this report, with what it knew then, for the case that it dies. */
const REPORTS_WITHOUT_USAGE = 'RecorderRestarted';

function usageOf({ attempts = [] }: ClawBenchRunStatus, number: number): Spending | undefined {
  return attempts.find((attempt) => attempt.number === number)?.usage;
}

function isNothing(spent: Spending): boolean {
  return !isMore(spent, {});
}

/** By what only grows: the cost is unknown as soon as one call has no price. */
function isMore(one: Spending, other: Spending): boolean {
  const of = ({ tokens = 0, apiCalls = 0 }: Spending): readonly [number, number] => [tokens, apiCalls];
  const [[tokens, calls], [otherTokens, otherCalls]] = [of(one), of(other)];
  return tokens > otherTokens || calls > otherCalls;
}
