import type { RunDeadlines } from '../../../benchmark/protocol/run-config.ts';
import type { StopCause } from './stop-cause.ts';

/** The phase of an attempt. It only moves forward. */
export type AttemptPhase = 'Setup' | 'AwaitingAgent' | 'Running' | 'Stopping' | 'Finalising' | 'Done';

/** Everything that the decisions need. Times are milliseconds since the epoch; null: it has not happened. */
export interface State {
  readonly phase: AttemptPhase;
  readonly startedAt: number;
  readonly armedAt: number | null;
  readonly agentStartedAt: number | null;
  readonly agentExitedAt: number | null;
  /** When the cause was known. */
  readonly stoppedAt: number | null;
  readonly finalisingAt: number | null;
  readonly cause: StopCause | null;
  /** The blocked request's body, which the task filters by, could not be read. */
  readonly bodyUnavailable: boolean;
  /** SIGTERM in a Pod: about two seconds are left. */
  readonly podTerminating: boolean;
  /** Last new action row; the idle clock. */
  readonly lastActionAt: number | null;
  readonly longestIdleMs: number;
  /** In Stopping: the recording continues, and a late terminal request still counts, until then. */
  readonly settleUntil: number;
  /** In Stopping: when to stop waiting for the agent's exit. */
  readonly agentDeadline: number;
  /** Finalising took too long. */
  readonly aborted: boolean;
}

export interface Limits {
  readonly deadlines: RunDeadlines;
  readonly timeLimitSeconds: number;
}

export function initialState(at: number): State {
  return {
    phase: 'Setup',
    startedAt: at,
    armedAt: null,
    agentStartedAt: null,
    agentExitedAt: null,
    stoppedAt: null,
    finalisingAt: null,
    cause: null,
    bodyUnavailable: false,
    podTerminating: false,
    lastActionAt: null,
    longestIdleMs: 0,
    settleUntil: 0,
    agentDeadline: 0,
    aborted: false,
  };
}

/** Whether an agent was started and is not known to have exited. */
export function agentAlive(state: State): boolean {
  return state.agentStartedAt !== null && state.agentExitedAt === null;
}
