import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import { EXIT_GRACE_MS } from '../../../benchmark/outcome/watchdog.ts';
import type { StopCause } from './stop-cause.ts';
import { agentDeadlineAt, causeOf, idleSince, nextDeadline } from './deadline.ts';
import { agentAlive, type Limits, type State } from './state.ts';

/** What happened to the attempt. `at` is milliseconds since the epoch. */
export type LifecycleEvent =
  | { readonly type: 'armed'; readonly at: number }
  | { readonly type: 'agentStarted'; readonly at: number }
  | AgentExited
  | { readonly type: 'action'; readonly at: number }
  /** `bodyUnavailable`: the body, which the task filters by, could not be read. */
  | { readonly type: 'intercepted'; readonly at: number; readonly bodyUnavailable: boolean }
  | { readonly type: 'escape'; readonly at: number; readonly url: string }
  /** Setup, browser or interception failed. */
  | { readonly type: 'failed'; readonly at: number; readonly reason: Reason; readonly message: string }
  | { readonly type: 'stopRequested'; readonly at: number }
  /** A cap of the run refused a model call. */
  | { readonly type: 'capReached'; readonly at: number; readonly message: string }
  /** The attempt is stopped from outside. `podTerminating`: SIGTERM in a Pod, about 2 s are left. */
  | { readonly type: 'terminate'; readonly at: number; readonly cause: StopCause; readonly podTerminating: boolean }
  | { readonly type: 'finalised'; readonly at: number }
  | { readonly type: 'tick'; readonly at: number };

export interface AgentExited {
  readonly type: 'agentExited';
  readonly at: number;
  readonly exitCode: number;
  /** The agent was never executed. Only accepted before an agent was started, so that no agent can report its exit as this. */
  readonly startError?: string;
  /** The agent was stopped from outside, for this cause. */
  readonly external?: StopCause;
}

/** What to do about it, in order. Performing one twice is harmless. */
export type Effect =
  /** Cut the egress gateway, fail every paused request, make the DevTools proxy refuse. */
  | 'freeze'
  /** Answer the shim's long poll and leave the marker in the harness's /data. */
  | 'stopAgent'
  /** Stop the recording, close and upload everything, decide the outcome. */
  | 'finalise'
  /** Give up on what is not uploaded yet. */
  | 'abortFinalise'
  /** Upload at once what is stored only in the Pod. */
  | 'flush'
  /** Write the outcome message now: the Pod may be killed before a later one. */
  | 'reportNow';

export interface Transition {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/**
 * One event → next state and effects. The first cause wins, with two exceptions: a terminal request shortly after the
 * agent's own exit is the agent's, and an escape outranks all (a live site may have been changed).
 */
export function step(state: State, event: LifecycleEvent, limits: Limits): Transition {
  if (state.phase === 'Done') return stay(state);
  const handle = HANDLERS[event.type] as Handler<LifecycleEvent>;
  return handle(state, event, limits);
}

type Handler<E extends LifecycleEvent> = (state: State, event: E, limits: Limits) => Transition;

const HANDLERS: { readonly [T in LifecycleEvent['type']]: Handler<LifecycleEvent & { type: T }> } = {
  armed: (state, { at }) => stay(state.phase === 'Setup' ? { ...state, phase: 'AwaitingAgent', armedAt: at } : state),
  agentStarted: (state, { at }) =>
    stay(state.phase === 'AwaitingAgent' ? { ...state, phase: 'Running', agentStartedAt: at } : state),
  agentExited,
  action: (state, { at }) => stay(acted(state, at)),
  intercepted: (state, { at, bodyUnavailable }, limits) => intercepted({ ...state, bodyUnavailable }, at, limits),
  escape: escaped,
  failed: (state, { at, reason, message }, limits) =>
    stop(state, { kind: 'infrastructure', reason, message }, { at, limits }),
  stopRequested: (state, { at }, limits) => stop(state, { kind: 'stopRequested' }, { at, limits }),
  capReached: (state, { at, message }, limits) => stop(state, { kind: 'budget', message }, { at, limits }),
  terminate,
  finalised: (state) => stay({ ...state, phase: 'Done' }),
  tick: (state, { at }, limits) => tick(state, at, limits),
};

function stay(state: State): Transition {
  return { state, effects: [] };
}

/** Whether no cause has stopped the attempt yet. */
function isRunning(state: State): boolean {
  return state.cause === null;
}

function acted(state: State, at: number): State {
  const idle = isRunning(state) ? idleMs(state, at) : 0;
  return { ...state, lastActionAt: at, longestIdleMs: Math.max(state.longestIdleMs, idle) };
}

interface StopOptions {
  readonly at: number;
  readonly limits: Limits;
  /** How long a late terminal request still counts, or the recording continues. */
  readonly settleMs?: number;
}

function stop(state: State, cause: StopCause, { at, limits, settleMs = 0 }: StopOptions): Transition {
  if (!isRunning(state)) return stay(state);
  const stopping: State = {
    ...state,
    longestIdleMs: Math.max(state.longestIdleMs, idleMs(state, at)),
    phase: 'Stopping',
    cause,
    stoppedAt: at,
    settleUntil: at + settleMs,
    agentDeadline: agentDeadlineAt(at, limits),
  };
  // While a late terminal request still counts, the browser must be able to send it (into the block).
  const freeze: readonly Effect[] = settleMs > 0 && cause.kind === 'agentExited' ? [] : ['freeze'];
  return advance(stopping, at, [...freeze, 'stopAgent']);
}

function idleMs(state: State, at: number): number {
  const since = idleSince(state);
  return since === null ? 0 : at - since;
}

function agentExited(state: State, event: AgentExited, limits: Limits): Transition {
  const gone: State = { ...state, agentExitedAt: event.at };
  if (!isRunning(state)) return advance(gone, event.at, []);
  if (event.startError !== undefined && state.agentStartedAt === null) {
    const message = `The harness could not be started: ${event.startError}.`;
    return stop(gone, { kind: 'infrastructure', reason: 'HarnessStartFailed', message }, { at: event.at, limits });
  }
  if (event.external !== undefined) return stop(gone, event.external, { at: event.at, limits });
  // Only for an agent that acted at all: the null harness must not cost a second.
  const active = state.lastActionAt !== null && state.lastActionAt > (state.agentStartedAt ?? Infinity);
  const cause: StopCause = { kind: 'agentExited', exitCode: event.exitCode };
  return stop(gone, cause, { at: event.at, limits, settleMs: active ? EXIT_GRACE_MS : 0 });
}

function intercepted(state: State, at: number, limits: Limits): Transition {
  const tailMs = limits.deadlines.tailSeconds * 1000;
  if (isRunning(state)) return stop(state, { kind: 'intercepted' }, { at, limits, settleMs: tailMs });
  const late = state.phase === 'Stopping' && state.cause?.kind === 'agentExited' && at <= state.settleUntil;
  if (!late) return stay(state);
  const matched: State = { ...state, cause: { kind: 'intercepted' }, stoppedAt: at, settleUntil: at + tailMs };
  return { state: matched, effects: ['freeze'] };
}

function escaped(state: State, event: LifecycleEvent & { type: 'escape' }, limits: Limits): Transition {
  const cause: StopCause = { kind: 'escape', url: event.url };
  return isRunning(state)
    ? stop(state, cause, { at: event.at, limits })
    : { state: { ...state, cause }, effects: ['freeze'] };
}

function terminate(state: State, event: LifecycleEvent & { type: 'terminate' }, limits: Limits): Transition {
  const stopped = isRunning(state) ? stop(state, event.cause, { at: event.at, limits }) : stay(state);
  if (!event.podTerminating) return stopped;
  // The agent's container is gone or about to be: waiting for its exit is pointless.
  const terminating: State = {
    ...stopped.state,
    podTerminating: true,
    agentExitedAt: stopped.state.agentExitedAt ?? event.at,
    settleUntil: event.at,
  };
  return advance(terminating, event.at, [...stopped.effects, 'flush', 'reportNow']);
}

function tick(state: State, at: number, limits: Limits): Transition {
  const due = nextDeadline(state, limits);
  if (due === null || at < due.at) return stay(state);
  const cause = causeOf(due, state, limits, at);
  if (cause !== null) return stop(state, cause, { at, limits });
  if (due.kind === 'finalise') return { state: { ...state, aborted: true }, effects: ['abortFinalise'] };
  const gone = due.kind === 'agentKill' ? { ...state, agentExitedAt: at } : state;
  return advance(gone, at, []);
}

/** Stopping → Finalising once the agent has exited and the recording's tail is over. */
function advance(state: State, at: number, effects: readonly Effect[]): Transition {
  if (state.phase !== 'Stopping' || agentAlive(state) || at < state.settleUntil) return { state, effects };
  return { state: { ...state, phase: 'Finalising', finalisingAt: at }, effects: [...effects, 'freeze', 'finalise'] };
}
