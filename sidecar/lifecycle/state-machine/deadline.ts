import { watchdog, type WatchdogFacts } from '../../../benchmark/outcome/watchdog.ts';
import type { StopCause } from './stop-cause.ts';
import { agentAlive, type Limits, type State } from './state.ts';

/** The next deadline: when, and which. */
export interface Deadline {
  readonly at: number;
  readonly kind: 'setup' | 'agentStart' | 'watchdog' | 'agentKill' | 'settle' | 'finalise';
}

/** Seconds that the recorder waits longer than the shim, which owns the TERM-to-KILL clock. */
const AGENT_KILL_MARGIN_SECONDS = 10;

/** When to stop waiting for the agent's exit after it was asked to stop. */
export function agentDeadlineAt(at: number, limits: Limits): number {
  return at + (limits.deadlines.agentKillSeconds + AGENT_KILL_MARGIN_SECONDS) * 1000;
}

/** The earliest deadline of the state; null when the attempt waits for nothing. */
export function nextDeadline(state: State, limits: Limits): Deadline | null {
  const { deadlines } = limits;
  switch (state.phase) {
    case 'Setup':
      return { at: state.startedAt + deadlines.setupSeconds * 1000, kind: 'setup' };
    case 'AwaitingAgent':
      return { at: (state.armedAt ?? state.startedAt) + deadlines.agentStartSeconds * 1000, kind: 'agentStart' };
    case 'Running':
      return runningDeadline(state, limits);
    case 'Stopping':
      return stoppingDeadline(state);
    case 'Finalising':
      return state.aborted
        ? null
        : {
            at: (state.finalisingAt ?? 0) + (deadlines.finaliseSeconds + deadlines.uploadSeconds) * 1000,
            kind: 'finalise',
          };
    case 'Done':
      return null;
  }
}

/** The agent's time limit and idle limit, by the benchmark's own rule. */
function runningDeadline(state: State, limits: Limits): Deadline {
  const decision = watchdog(watchdogFacts(state, limits), -Infinity);
  return { at: decision.stop ? 0 : decision.checkAt, kind: 'watchdog' };
}

function watchdogFacts(state: State, limits: Limits): WatchdogFacts {
  return {
    startedAt: state.agentStartedAt ?? state.startedAt,
    lastActionAt: state.lastActionAt,
    matched: false,
    agentExitedAt: null,
    timeLimitMs: limits.timeLimitSeconds * 1000,
    idleLimitMs: limits.deadlines.idleSeconds * 1000,
  };
}

/** Since when the agent has been idle; null before its start or its first row. Rows from before its start do not shorten its time. */
export function idleSince(state: State): number | null {
  if (state.agentStartedAt === null || state.lastActionAt === null) return null;
  return Math.max(state.lastActionAt, state.agentStartedAt);
}

function stoppingDeadline(state: State): Deadline {
  return agentAlive(state) ? { at: state.agentDeadline, kind: 'agentKill' } : { at: state.settleUntil, kind: 'settle' };
}

/** Why the attempt stops at the deadline that passed at `now`; null for a deadline that only moves it on. */
export function causeOf(due: Deadline, state: State, limits: Limits, now: number): StopCause | null {
  const { deadlines } = limits;
  switch (due.kind) {
    case 'setup':
      return {
        kind: 'infrastructure',
        reason: 'SetupTimeout',
        message: `Interception was not armed within ${String(deadlines.setupSeconds)} s of the recorder's start.`,
      };
    case 'agentStart':
      return {
        kind: 'infrastructure',
        reason: 'AgentStartTimeout',
        message: `No agent was started within ${String(deadlines.agentStartSeconds)} s of arming.`,
      };
    case 'watchdog': {
      const decision = watchdog(watchdogFacts(state, limits), now);
      return { kind: decision.stop && decision.reason === 'agent_idle' ? 'idle' : 'timeLimit' };
    }
    default:
      return null;
  }
}
