import type { Reason } from '../../benchmark/outcome/outcome.ts';
import { InterceptionError, type InterceptionEvent, type InterceptionOptions } from '../contracts.ts';
import { createLatch } from './latch.ts';
import type { PhaseState } from './phase.ts';

/** How interception reports its events, and how it ends when one of its parts fails. */
export interface EventEmitter {
  /** Calls the run's event handler; interception is lost when the handler throws. */
  emit(event: InterceptionEvent): void;
  /**
   * Ends interception because a part of it failed. Everything is closed first and reported second: when a listener
   * learns of the loss there is nothing left to close. Does nothing after the first call.
   */
  lose(reason: Reason, message: string): void;
  /** Rejects with an `InterceptionError` when interception is lost. */
  readonly lost: Promise<never>;
}

export interface EventEmitterOptions extends Pick<InterceptionOptions, 'onEvent' | 'log'> {
  readonly phase: PhaseState;
  /** Closes the egress and the browser's pipe; both are closed on return. */
  readonly closeAll: () => void;
}

export function createEventEmitter({ onEvent, log, phase, closeAll }: EventEmitterOptions): EventEmitter {
  const latch = createLatch<never>();
  const emit = (event: InterceptionEvent): void => {
    try {
      onEvent(event);
    } catch (error) {
      log.error({ err: error, event: event.type }, 'an event handler threw an error');
      lose('InternalError', `the recorder failed on a ${event.type} event`);
    }
  };
  const lose = (reason: Reason, message: string): void => {
    if (!phase.advance('lost')) return;
    closeAll();
    latch.fail(new InterceptionError(reason, message));
    emit({ type: 'lost', reason, message });
  };
  return { emit, lose, lost: latch.promise };
}
