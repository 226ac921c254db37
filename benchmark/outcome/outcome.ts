/**
 * The words in which an attempt ends. Infrastructure, agent and judge never share a bucket: a score must not move
 * because a node died or a provider was out of credit. One list, so that the recorder, the operator, the judge and the
 * metrics can never disagree about a spelling.
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

/** Why, in one CamelCase word. Kubernetes conditions, metrics' `reason` label and bundles use these and no others. */
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
  'RetriesExhausted',
  'InternalError',
  // the user
  'CancelledByUser',
  'BudgetExceeded',
] as const;
/** See {@link REASONS}. */
export type Reason = (typeof REASONS)[number];

/** Outcomes that are tried again without using up the task's attempts. */
export const RETRIED_OUTCOMES: readonly Outcome[] = ['Infrastructure'];
