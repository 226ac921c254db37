import type { Logger } from 'pino';
import { nextDeadline } from './deadline.ts';
import { step, type Effect, type LifecycleEvent } from './step.ts';
import { initialState, type Limits, type State } from './state.ts';

/** The state machine with a clock: events in, effects out, one at a time, in order. */
export interface EventLoop {
  readonly state: State;
  dispatch(event: LifecycleEvent): void;
  /** The task's own limit is known only once the task has been read. */
  setTimeLimit(seconds: number): void;
}

export interface EventLoopOptions {
  readonly limits: Limits;
  readonly perform: (effect: Effect, state: State) => void;
  readonly now: () => number;
  readonly log: Logger;
}

/** Node's longest timer; the idle limit of a person's session is longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createEventLoop({ perform, now, log, ...options }: EventLoopOptions): EventLoop {
  let { limits } = options;
  let state = initialState(now());
  let timer: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    clearTimeout(timer);
    const due = nextDeadline(state, limits);
    if (due === null) return;
    const tick = (): void => {
      dispatch({ type: 'tick', at: now() });
    };
    timer = setTimeout(tick, Math.min(Math.max(due.at - now(), 0), MAX_TIMER_MS));
  };

  const dispatch = (event: LifecycleEvent): void => {
    const before = state.phase;
    const next = step(state, event, limits);
    state = next.state;
    if (state.phase !== before)
      log.info({ phase: state.phase, cause: state.cause, event: event.type }, 'attempt phase changed');
    for (const effect of next.effects) perform(effect, state);
    schedule();
  };

  schedule();
  return {
    get state() {
      return state;
    },
    dispatch,
    setTimeLimit: (timeLimitSeconds) => {
      limits = { ...limits, timeLimitSeconds };
      schedule();
    },
  };
}
