import type { RunDeadlines } from '../../../benchmark/protocol/run-config.ts';
import type { Cause } from './stop-cause.ts';

/** Where an attempt is. It only moves forward. */
export type Phase = 'Setup' | 'AwaitingAgent' | 'Running' | 'Stopping' | 'Finalising' | 'Done';

/** Everything the decisions need. Times are milliseconds since the epoch, null: not (yet). */
export interface State {
  readonly phase: Phase;
  readonly startedAt: number;
  readonly armedAt: number | null;
  readonly agentStartedAt: number | null;
  readonly agentExitedAt: number | null;
  /** When the cause was known. */
  readonly stoppedAt: number | null;
  readonly finalisingAt: number | null;
  readonly cause: Cause | null;
  /** Last new action row; the idle clock. */
  readonly lastActionAt: number | null;
  readonly longestIdleMs: number;
  /** In Stopping: the recording goes on, and a late terminal request still counts, until then. */
  readonly settleUntil: number;
  /** In Stopping: the agent is given up on then. */
  readonly agentDeadline: number;
  /** Finalising took too long; told once. */
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
    lastActionAt: null,
    longestIdleMs: 0,
    settleUntil: 0,
    agentDeadline: 0,
    aborted: false,
  };
}

/** Whether an agent was started and is not known to be gone. */
export function agentAlive(state: State): boolean {
  return state.agentStartedAt !== null && state.agentExitedAt === null;
}
