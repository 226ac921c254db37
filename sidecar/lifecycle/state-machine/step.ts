import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import { EXIT_GRACE_MS } from '../../../benchmark/outcome/watchdog.ts';
import type { Cause } from './stop-cause.ts';
import { agentDeadlineAt, causeOf, idleSince, nextDeadline } from './deadline.ts';
import { agentAlive, type Limits, type State } from './state.ts';

/** What the world tells the attempt. `at` is milliseconds since the epoch. */
export type LifecycleEvent =
  | { readonly type: 'armed'; readonly at: number }
  | { readonly type: 'agentStarted'; readonly at: number }
  | AgentExited
  | { readonly type: 'action'; readonly at: number }
  | { readonly type: 'intercepted'; readonly at: number }
  | { readonly type: 'escape'; readonly at: number; readonly url: string }
  /** Setup, browser or interception failed. */
  | { readonly type: 'failed'; readonly at: number; readonly reason: Reason; readonly message: string }
  | { readonly type: 'stopAsked'; readonly at: number }
  /** A cap of the run refused a model call. */
  | { readonly type: 'capReached'; readonly at: number; readonly message: string }
  /** The Pod or the session is being ended from outside. `now`: there are about 2 s left (SIGTERM in a Pod). */
  | { readonly type: 'terminate'; readonly at: number; readonly cause: Cause; readonly now: boolean }
  | { readonly type: 'finalised'; readonly at: number }
  | { readonly type: 'tick'; readonly at: number };

export interface AgentExited {
  readonly type: 'agentExited';
  readonly at: number;
  readonly exitCode: number;
  /** There never was an agent. Heard only before one was started: no agent can call its own end by that name. */
  readonly startError?: string;
  /** The agent was ended from outside, by this. */
  readonly outside?: Cause;
}

/** What is to be done about it, in order. Each is idempotent in the shell. */
export type Effect =
  /** Cut the gateway, fail every pause, make the door refuse. */
  | 'freeze'
  /** Answer the shim's long poll and leave the marker in the harness's /data. */
  | 'stopAgent'
  /** Stop the recording, close and upload everything, decide the outcome. */
  | 'finalise'
  /** Give up on what is not uploaded yet. */
  | 'abortFinalise'
  /** Push what lies only here, at once. */
  | 'flush'
  /** Write the outcome message now: there may be no later. */
  | 'reportNow';

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/**
 * One event → next state and effects. Pure. The first cause wins, with two exceptions: a terminal request shortly after
 * the agent's own end is the agent's, and an escape outranks all (a live site may have been changed).
 */
export function step(state: State, event: LifecycleEvent, limits: Limits): Step {
  if (state.phase === 'Done') return stay(state);
  const handle = HANDLERS[event.type] as Handler<LifecycleEvent>;
  return handle(state, event, limits);
}

type Handler<E extends LifecycleEvent> = (state: State, event: E, limits: Limits) => Step;

const HANDLERS: { readonly [T in LifecycleEvent['type']]: Handler<LifecycleEvent & { type: T }> } = {
  armed: (state, { at }) => stay(state.phase === 'Setup' ? { ...state, phase: 'AwaitingAgent', armedAt: at } : state),
  agentStarted: (state, { at }) =>
    stay(state.phase === 'AwaitingAgent' ? { ...state, phase: 'Running', agentStartedAt: at } : state),
  agentExited,
  action: (state, { at }) => stay(acted(state, at)),
  intercepted: (state, { at }, limits) => intercepted(state, at, limits),
  escape: escaped,
  failed: (state, { at, reason, message }, limits) =>
    end(state, { kind: 'infrastructure', reason, message }, { at, limits }),
  stopAsked: (state, { at }, limits) => end(state, { kind: 'stopRequested' }, { at, limits }),
  capReached: (state, { at, message }, limits) => end(state, { kind: 'budget', message }, { at, limits }),
  terminate,
  finalised: (state) => stay({ ...state, phase: 'Done' }),
  tick: (state, { at }, limits) => tick(state, at, limits),
};

function stay(state: State): Step {
  return { state, effects: [] };
}

/** Whether the attempt is still open: no cause has ended it. */
function open(state: State): boolean {
  return state.cause === null;
}

function acted(state: State, at: number): State {
  const idle = open(state) ? silence(state, at) : 0;
  return { ...state, lastActionAt: at, longestIdleMs: Math.max(state.longestIdleMs, idle) };
}

interface EndOptions {
  readonly at: number;
  readonly limits: Limits;
  /** How long a late terminal request still counts, or the recording goes on. */
  readonly settleMs?: number;
}

function end(state: State, cause: Cause, { at, limits, settleMs = 0 }: EndOptions): Step {
  if (!open(state)) return stay(state);
  const ending: State = {
    ...state,
    longestIdleMs: Math.max(state.longestIdleMs, silence(state, at)),
    phase: 'Stopping',
    cause,
    stoppedAt: at,
    settleUntil: at + settleMs,
    agentDeadline: agentDeadlineAt(at, limits),
  };
  // While a late terminal request still counts, the browser must be able to send it (into the block).
  const freeze: readonly Effect[] = settleMs > 0 && cause.kind === 'agentExited' ? [] : ['freeze'];
  return advance(ending, at, [...freeze, 'stopAgent']);
}

function silence(state: State, at: number): number {
  const since = idleSince(state);
  return since === null ? 0 : at - since;
}

function agentExited(state: State, event: AgentExited, limits: Limits): Step {
  const gone: State = { ...state, agentExitedAt: event.at };
  if (!open(state)) return advance(gone, event.at, []);
  if (event.startError !== undefined && state.agentStartedAt === null) {
    const message = `The harness could not be started: ${event.startError}.`;
    return end(gone, { kind: 'infrastructure', reason: 'HarnessStartFailed', message }, { at: event.at, limits });
  }
  if (event.outside !== undefined) return end(gone, event.outside, { at: event.at, limits });
  // Only for agents that acted at all: the null harness must not cost a second.
  const active = state.lastActionAt !== null && state.lastActionAt > (state.agentStartedAt ?? Infinity);
  const cause: Cause = { kind: 'agentExited', exitCode: event.exitCode };
  return end(gone, cause, { at: event.at, limits, settleMs: active ? EXIT_GRACE_MS : 0 });
}

function intercepted(state: State, at: number, limits: Limits): Step {
  const tailMs = limits.deadlines.tailSeconds * 1000;
  if (open(state)) return end(state, { kind: 'intercepted' }, { at, limits, settleMs: tailMs });
  const late = state.phase === 'Stopping' && state.cause?.kind === 'agentExited' && at <= state.settleUntil;
  if (!late) return stay(state);
  const matched: State = { ...state, cause: { kind: 'intercepted' }, stoppedAt: at, settleUntil: at + tailMs };
  return { state: matched, effects: ['freeze'] };
}

function escaped(state: State, event: LifecycleEvent & { type: 'escape' }, limits: Limits): Step {
  const cause: Cause = { kind: 'escape', url: event.url };
  return open(state)
    ? end(state, cause, { at: event.at, limits })
    : { state: { ...state, cause }, effects: ['freeze'] };
}

function terminate(state: State, event: LifecycleEvent & { type: 'terminate' }, limits: Limits): Step {
  const ended = open(state) ? end(state, event.cause, { at: event.at, limits }) : stay(state);
  if (!event.now) return ended;
  // Nobody waits for an agent any more: its container is gone or about to be.
  const hurried: State = {
    ...ended.state,
    agentExitedAt: ended.state.agentExitedAt ?? event.at,
    settleUntil: event.at,
  };
  return advance(hurried, event.at, [...ended.effects, 'flush', 'reportNow']);
}

function tick(state: State, at: number, limits: Limits): Step {
  const due = nextDeadline(state, limits);
  if (due === null || at < due.at) return stay(state);
  const cause = causeOf(due, state, limits, at);
  if (cause !== null) return end(state, cause, { at, limits });
  if (due.rung === 'finalise') return { state: { ...state, aborted: true }, effects: ['abortFinalise'] };
  const gone = due.rung === 'agentKill' ? { ...state, agentExitedAt: at } : state;
  return advance(gone, at, []);
}

/** Stopping → Finalising once the agent is gone and the tail is over. */
function advance(state: State, at: number, effects: readonly Effect[]): Step {
  if (state.phase !== 'Stopping' || agentAlive(state) || at < state.settleUntil) return { state, effects };
  return { state: { ...state, phase: 'Finalising', finalisingAt: at }, effects: [...effects, 'freeze', 'finalise'] };
}
