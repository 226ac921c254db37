import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import type { StopReason } from '../../../benchmark/outcome/stop-reason.ts';

/** Why an attempt was stopped: the first cause, with the two exceptions that `step` names. */
export type StopCause =
  | { readonly kind: 'intercepted' }
  | { readonly kind: 'agentExited'; readonly exitCode: number }
  | { readonly kind: 'idle' }
  | { readonly kind: 'timeLimit' }
  /** `POST /api/stop`: a program in the Pod asked, nothing was intercepted. */
  | { readonly kind: 'stopRequested' }
  /** A cap of the run refused a model call. */
  | { readonly kind: 'budget'; readonly message: string }
  /** A person ended a local session. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'infrastructure'; readonly reason: Reason; readonly message: string }
  | { readonly kind: 'escape'; readonly url: string };

/** A stop that neither agent nor recorder caused: the user of a local session, or the deletion of the Pod. */
export function externalStopCause(environment: { readonly local: boolean }): StopCause {
  if (environment.local) return { kind: 'cancelled' };
  const message = 'The Pod was deleted while the attempt was running.';
  return { kind: 'infrastructure', reason: 'PodDeleted', message };
}

/** Upstream's stop reason for each cause that has one; `unknown` for the rest. */
export function stopReasonOf(cause: StopCause): StopReason {
  if (cause.kind === 'infrastructure') return INFRASTRUCTURE_STOP_REASONS[cause.reason] ?? 'unknown';
  return STOP_REASONS[cause.kind];
}

const STOP_REASONS: Readonly<Record<Exclude<StopCause['kind'], 'infrastructure'>, StopReason>> = {
  intercepted: 'eval_matched',
  agentExited: 'agent_exited',
  idle: 'agent_idle',
  timeLimit: 'time_limit_exceeded',
  stopRequested: 'stop_requested',
  budget: 'stop_requested',
  cancelled: 'stop_requested',
  escape: 'unknown',
};

const INFRASTRUCTURE_STOP_REASONS: Partial<Record<Reason, StopReason>> = {
  SetupTimeout: 'browser_runtime_setup_failed',
  IsolationUnavailable: 'browser_runtime_setup_failed',
  InterceptionNotArmed: 'browser_runtime_setup_failed',
  SelfTestFailed: 'browser_runtime_setup_failed',
  CdpLost: 'chrome_cdp_timeout',
  BrowserExited: 'chrome_cdp_timeout',
  BrowserRestarted: 'chrome_cdp_timeout',
  GatewayFailed: 'gateway_failed',
  HarnessStartFailed: 'missing_harness',
};
