/**
 * How an attempt ended: outcomes, reasons, and which outcomes count as whose. Infrastructure, agent and judge never share
 * a bucket: a score must not move because a node died or a provider ran out of credit. One list, so that the recorder, the
 * operator, the judge and the metrics cannot disagree about a spelling.
 */

export const OUTCOMES = [
  'Passed',
  'Failed',
  'JudgePending',
  'TimedOut',
  'Infrastructure',
  'InterceptionEscape',
  'EvidenceIncomplete',
  'Cancelled',
] as const;
/** The class an attempt ended in. `JudgePending` means intercepted and waiting for a verdict. */
export type Outcome = (typeof OUTCOMES)[number];

/** The reason of an outcome, in CamelCase. Conditions, the `reason` label of metrics and bundles use only these. */
export const REASONS = [
  // a result of the agent
  'Intercepted',
  'JudgedMatch',
  'JudgedMismatch',
  'AgentExited',
  'AgentIdle',
  'TimeLimitExceeded',
  // evidence
  'BodyUnavailable',
  'EvidenceNotSafe',
  'ResponseWithoutPause',
  // infrastructure
  'PodStartTimeout',
  'SetupTimeout',
  'AgentStartTimeout',
  'ImagePullFailed',
  'Unschedulable',
  'IsolationUnavailable',
  'InterceptionNotArmed',
  'SelfTestFailed',
  'BrowserExited',
  'BrowserRestarted',
  'RecorderRestarted',
  'CdpLost',
  'GatewayFailed',
  'HarnessStartFailed',
  'OutOfMemory',
  'Evicted',
  'NodeLost',
  'PodDeleted',
  'PodFailed',
  'StorageFailed',
  'MailboxFailed',
  'ModelGatewayFailed',
  'ModelUnavailable',
  'PriceUnknown',
  'TaskMismatch',
  'ClaimedByOther',
  'DiskFull',
  'InternalError',
  // the user
  'CancelledByUser',
  'BudgetExceeded',
] as const;
/** See {@link REASONS}. */
export type Reason = (typeof REASONS)[number];

/** Outcomes that are retried without using up the task's attempts. */
export const RETRIED_OUTCOMES: readonly Outcome[] = ['Infrastructure'];

/**
 * Outcomes that the system caused (cluster, interception, evidence): they say something about us and nothing about the
 * agent. Counts show them as `infrastructure`, and the Pod of such an attempt is kept for inspection.
 */
export const SYSTEM_CAUSED_OUTCOMES: ReadonlySet<string> = new Set<Outcome>([
  'Infrastructure',
  'InterceptionEscape',
  'EvidenceIncomplete',
]);

/**
 * Outcomes that are not a result of the agent: the system's, and runs that the user cancelled. They leave every
 * denominator, and no verdict turns one into a pass.
 */
export const NON_RESULT_OUTCOMES: ReadonlySet<string> = new Set<string>([...SYSTEM_CAUSED_OUTCOMES, 'Cancelled']);

/** Whether an outcome is one of {@link NON_RESULT_OUTCOMES}; null: the bundle does not say, as upstream's own bundles. */
export function isNonResult(outcome: string | null): boolean {
  return outcome !== null && NON_RESULT_OUTCOMES.has(outcome);
}
