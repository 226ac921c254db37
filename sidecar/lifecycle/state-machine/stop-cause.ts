import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import type { StopReason } from '../../../benchmark/outcome/stop-reason.ts';

/** Why an attempt ended: the first that happened, with the two exceptions that `machine.ts` names. */
export type Cause =
  | { readonly kind: 'intercepted' }
  | { readonly kind: 'agentExited'; readonly exitCode: number }
  | { readonly kind: 'idle' }
  | { readonly kind: 'timeLimit' }
  /** `POST /api/stop`: somebody inside asked, nothing was intercepted. */
  | { readonly kind: 'stopRequested' }
  /** A cap of the run refused a model call. */
  | { readonly kind: 'budget'; readonly message: string }
  /** A person ended a local session. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'infrastructure'; readonly reason: Reason; readonly message: string }
  | { readonly kind: 'escape'; readonly url: string };

/** An end that neither agent nor recorder caused: a person's wish in a local session, else the Pod's end. */
export function endFromOutside(environment: { readonly local: boolean }): Cause {
  if (environment.local) return { kind: 'cancelled' };
  const message = 'The Pod was ended while the attempt was going on.';
  return { kind: 'infrastructure', reason: 'PodDeleted', message };
}

/** Upstream's stop reason for each cause that has one; the rest is `unknown` there. */
export function stopReasonOf(cause: Cause): StopReason {
  if (cause.kind === 'infrastructure') return INFRASTRUCTURE_STOP_REASONS[cause.reason] ?? 'unknown';
  return STOP_REASONS[cause.kind];
}

const STOP_REASONS: Readonly<Record<Exclude<Cause['kind'], 'infrastructure'>, StopReason>> = {
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
