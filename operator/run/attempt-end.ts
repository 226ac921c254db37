import type { Reason } from '../../benchmark/outcome/outcome.ts';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { AttemptStatus, ClawBenchRunStatus, PhaseTimes } from '../../crds/status/run-status.ts';
import { withCondition, type Moment } from '../conditions.ts';
import type { AttemptResult } from '../pod/attempt-state.ts';
import type { Spending } from '../progress/usage-sum.ts';
import { retryDelayMs } from '../retry-delays.ts';
import { rfc3339 } from '../timestamps.ts';
import { withAttemptUsage, withFinalUsage } from './attempt-usage.ts';
import { withAttempt } from './attempts.ts';
import type { BatchFacts } from './batch-facts.ts';
import { exhaustedCap } from './caps.ts';
import { armedCondition, timesOfRun } from './observe-pod.ts';
import { countsAsRetry, isRetriable, mayRetry } from './retry-policy.ts';
import { applyVerdict } from './verdict.ts';

export interface AttemptEnd {
  readonly number: number;
  readonly result: AttemptResult;
  /** Prefix of the attempt's evidence, for an attempt without a report. */
  readonly prefix: string;
  /** Usage that its recorder last reported; null: none. */
  readonly liveUsage: Spending | null;
  /** Whether it may have called its model. */
  readonly maySpend: boolean;
  /** No further attempt is wanted. */
  readonly cancelled: boolean;
  readonly facts: BatchFacts;
}

/**
 * Records the end of an attempt in the status: either another attempt after a back-off, or the run's outcome.
 * @param status with the attempt's pod observed.
 */
export function recordAttemptEnd(status: ClawBenchRunStatus, end: AttemptEnd, moment: Moment): ClawBenchRunStatus {
  const result = keepEarlierCause(status, end.result);
  const repeated = result !== end.result;
  const closed = writeAttempt(status, { ...end, result }, moment);
  const counts = result.outcome === 'Infrastructure' && !repeated && countsAsRetry(result.reason, end.number);
  const failures = (status.infrastructureFailures ?? 0) + (counts ? 1 : 0);
  const counted = failures === 0 ? closed : { ...closed, infrastructureFailures: failures };
  const retry = !end.cancelled && !repeated && mayRetry(counted, result, end.facts);
  return retry ? retryLater(counted, end, moment) : endRun(counted, { ...end, result }, moment);
}

/**
 * An attempt that finds the run claimed repeats the outcome that the claim names. If the claim is from an attempt whose
 * end was attributed to the cluster (out of memory, drained) against its own report, that report still does not count,
 * and the run ends as that attempt did. An attempt whose message was lost, that the operator stopped, or that could not
 * read the store's response to its claim had no other report: the claim is its report, come late.
 */
function keepEarlierCause(status: ClawBenchRunStatus, result: AttemptResult): AttemptResult {
  const earlier = claimant(status, result.report);
  const reason = CLUSTER_CAUSES.find((one) => one === earlier?.reason);
  if (earlier === undefined || reason === undefined || result.report?.intercepted === true) return result;
  if (earlier.outcome !== 'Infrastructure' || earlier.reportedOutcome === undefined) return result;
  return { ...result, outcome: 'Infrastructure', reason, message: earlier.message ?? result.message };
}

/** Reasons for which the cluster ended an attempt. */
const CLUSTER_CAUSES: readonly Reason[] = ['Evicted', 'NodeLost', 'PodDeleted', 'OutOfMemory', 'DiskFull'];

/** The attempt of this run that made the claim another attempt found. A claim of a namesake has another prefix. */
function claimant({ attempts = [] }: ClawBenchRunStatus, report: OutcomeMessage | null): AttemptStatus | undefined {
  if (report === null || report.claimedByAttempt === null) return undefined;
  return attempts.find(({ number, prefix }) => number === report.claimedByAttempt && prefix === report.prefix);
}

function writeAttempt(status: ClawBenchRunStatus, end: AttemptEnd, moment: Moment): ClawBenchRunStatus {
  const { report, reason } = end.result;
  const withUsage = addUsage(status, end);
  const attempt = endedAttempt(withUsage, end, moment);
  const next: ClawBenchRunStatus = {
    ...withUsage,
    attempts: withAttempt(withUsage.attempts, attempt),
    times: timesOfRun(status, claimedTimes(status, report, attempt.times ?? {})),
    pendingReason: undefined,
  };
  // The kubelet may have reported it armed after the stop, too late to matter.
  return reason === 'SetupTimeout' ? armedCondition(next, false, moment) : next;
}

function endedAttempt({ attempts = [] }: ClawBenchRunStatus, end: AttemptEnd, moment: Moment): AttemptStatus {
  const { result, number } = end;
  const { outcome, reason, message, report } = result;
  const before = attempts.find((attempt) => attempt.number === number);
  return {
    podName: '',
    ...before,
    number,
    outcome,
    reason,
    message,
    ...overruledOutcome(result),
    ...claimedBy(report),
    evidence: report?.evidence ?? 'None',
    prefix: report?.prefix ?? end.prefix,
    times: { ...before?.times, ...ownTimes(report), ended: rfc3339(moment.now) },
  };
}

function claimedBy(report: OutcomeMessage | null): Pick<AttemptStatus, 'claimedByAttempt'> {
  const number = report?.claimedByAttempt ?? null;
  return number === null ? {} : { claimedByAttempt: number };
}

/** With a claim that was found, the report has the times of another attempt. */
function ownTimes(report: OutcomeMessage | null): PhaseTimes {
  return report?.claimedByAttempt === null ? reportedTimes(report) : {};
}

/** The times of the attempt that counts: the one that claimed the run, if this one only found its claim. */
function claimedTimes(status: ClawBenchRunStatus, report: OutcomeMessage | null, found: PhaseTimes): PhaseTimes {
  if (report === null || report.claimedByAttempt === null) return found;
  return { ended: found.ended, ...claimant(status, report)?.times, ...reportedTimes(report) };
}

function overruledOutcome({ outcome, report }: AttemptResult): Pick<AttemptStatus, 'reportedOutcome'> {
  return report === null || report.outcome === outcome ? {} : { reportedOutcome: report.outcome };
}

function reportedTimes(report: OutcomeMessage | null): PhaseTimes {
  if (report === null) return {};
  const reached = Object.entries(report.times).filter((entry): entry is [string, number] => entry[1] !== null);
  return Object.fromEntries(reached.map(([step, at]) => [step, rfc3339(at)]));
}

/**
 * Adds up the usage of all attempts of the run, because retries cost money too. A claim that was found carries the
 * usage of the attempt that made it, which counts if that attempt could not report it here: its message was lost, or it
 * belonged to a deleted run with this name.
 */
function addUsage(status: ClawBenchRunStatus, end: AttemptEnd): ClawBenchRunStatus {
  const { number, result, liveUsage, maySpend } = end;
  const { report } = result;
  if (report === null || report.claimedByAttempt === null)
    return withFinalUsage(status, number, { report, liveUsage, maySpend });
  if (hasReported(status, report.prefix)) return status;
  return withAttemptUsage(status, claimant(status, report)?.number ?? number, report.usage);
}

/** Only a report can have complete evidence. */
function hasReported({ attempts = [] }: ClawBenchRunStatus, prefix: string): boolean {
  return attempts.some((attempt) => attempt.prefix === prefix && attempt.evidence === 'Complete');
}

function retryLater(status: ClawBenchRunStatus, end: AttemptEnd, moment: Moment): ClawBenchRunStatus {
  const { reason, message } = end.result;
  const at = moment.now + retryDelayMs(status.infrastructureFailures ?? 0);
  const pendingReason = `Attempt ${String(end.number)} ended with ${reason}: ${message} Another attempt follows.`;
  return { ...status, phase: 'Queued', nextAttemptTime: rfc3339(at), reason, message, pendingReason };
}

function endRun(status: ClawBenchRunStatus, end: AttemptEnd, moment: Moment): ClawBenchRunStatus {
  const { result, facts } = end;
  const { report } = result;
  const ended: ClawBenchRunStatus = {
    ...status,
    outcome: result.outcome,
    reason: result.reason,
    message: finalMessage(status, result, facts),
    intercepted: report?.intercepted ?? false,
    evidence: report?.evidence ?? 'None',
    artifacts: { prefix: `${facts.storeUrl}${report?.prefix ?? end.prefix}` },
    ...(report === null ? {} : { stopReason: report.stopReason, resultCategory: report.resultCategory }),
  };
  return applyVerdict(endConditions(ended, report, moment), facts, moment);
}

function finalMessage(status: ClawBenchRunStatus, result: AttemptResult, facts: BatchFacts): string {
  const failures = status.infrastructureFailures ?? 0;
  if (result.outcome !== 'Infrastructure') return result.message;
  // The limit ends a run even if something is left of its caps.
  if (failures > facts.infrastructureLimit) {
    return failures === 1
      ? result.message
      : `${result.message} No retry after ${String(failures)} infrastructure failures.`;
  }
  const cap = isRetriable(result) ? exhaustedCap(facts.budget, status.usage) : null;
  return cap === null ? result.message : `${result.message} No retry: the run has used up its cap on ${cap}.`;
}

function endConditions(status: ClawBenchRunStatus, report: OutcomeMessage | null, moment: Moment): ClawBenchRunStatus {
  const yes = status.intercepted === true;
  const intercepted = withCondition(
    status,
    yes
      ? { type: 'Intercepted', status: 'True', reason: 'RequestBlocked', message: 'The terminal request was blocked.' }
      : {
          type: 'Intercepted',
          status: 'False',
          reason: status.reason ?? 'No',
          message: 'No terminal request was intercepted.',
        },
    moment,
  );
  const evidence = report?.evidence ?? 'None';
  const safe = withCondition(
    intercepted,
    evidence === 'Complete'
      ? {
          type: 'EvidenceSafe',
          status: 'True',
          reason: 'ManifestWritten',
          message: 'The whole bundle is in the object store.',
        }
      : {
          type: 'EvidenceSafe',
          status: 'False',
          reason: evidence,
          message: `Evidence in the object store: ${evidence}.`,
        },
    moment,
  );
  if (report === null) return safe;
  const armed = armedCondition(safe, report.times.armed !== null, moment);
  const isolated = report.agentIsolated;
  const message = isolated
    ? 'The agent could reach nothing but the browser.'
    : 'The agent shared the network of the pod.';
  return withCondition(
    armed,
    { type: 'AgentIsolated', status: isolated ? 'True' : 'False', reason: 'Reported', message },
    moment,
  );
}
