import { watchdog, type WatchdogFacts } from '../../../benchmark/outcome/watchdog.ts';
import type { Cause } from './stop-cause.ts';
import { agentAlive, type Limits, type State } from './state.ts';

/** The next rung of the deadline ladder: when, and what happens then. */
export interface Deadline {
  readonly at: number;
  readonly rung: 'setup' | 'agentStart' | 'watchdog' | 'agentKill' | 'settle' | 'finalise';
}

/** Margin of the recorder over the shim, which owns the TERM-to-KILL clock: seconds until it is given up on. */
const AGENT_KILL_MARGIN_SECONDS = 10;

/** When to give up on the agent's end after it was asked to stop. */
export function agentDeadlineAt(at: number, limits: Limits): number {
  return at + (limits.deadlines.agentKillSeconds + AGENT_KILL_MARGIN_SECONDS) * 1000;
}

/** Pure: the earliest deadline of the state, null when nothing is waited for. */
export function nextDeadline(state: State, limits: Limits): Deadline | null {
  const { deadlines } = limits;
  switch (state.phase) {
    case 'Setup':
      return { at: state.startedAt + deadlines.setupSeconds * 1000, rung: 'setup' };
    case 'AwaitingAgent':
      return { at: (state.armedAt ?? state.startedAt) + deadlines.agentStartSeconds * 1000, rung: 'agentStart' };
    case 'Running':
      return runningDeadline(state, limits);
    case 'Stopping':
      return stoppingDeadline(state);
    case 'Finalising':
      return state.aborted
        ? null
        : {
            at: (state.finalisingAt ?? 0) + (deadlines.finaliseSeconds + deadlines.uploadSeconds) * 1000,
            rung: 'finalise',
          };
    case 'Done':
      return null;
  }
}

/** The agent's two clocks, by the benchmark's own rule. */
function runningDeadline(state: State, limits: Limits): Deadline {
  const decision = watchdog(watchdogFacts(state, limits), -Infinity);
  return { at: decision.stop ? 0 : decision.checkAt, rung: 'watchdog' };
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

/** Start of the current silence; null before the agent's start or the first row. Rows from before it do not shorten its time. */
export function idleSince(state: State): number | null {
  if (state.agentStartedAt === null || state.lastActionAt === null) return null;
  return Math.max(state.lastActionAt, state.agentStartedAt);
}

function stoppingDeadline(state: State): Deadline {
  return agentAlive(state) ? { at: state.agentDeadline, rung: 'agentKill' } : { at: state.settleUntil, rung: 'settle' };
}

/** What the deadline that passed at `now` means for the attempt; null for those that only move on. */
export function causeOf(due: Deadline, state: State, limits: Limits, now: number): Cause | null {
  const { deadlines } = limits;
  switch (due.rung) {
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
