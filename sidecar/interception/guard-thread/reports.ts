import type { MessagePort } from 'node:worker_threads';
import type { InterceptionEvent } from '../../contracts.ts';
import type { SharedMemory } from './memory.ts';

/** What the thread is started with. */
export interface GuardThreadData {
  readonly memory: SharedMemory;
  /** Carries {@link SequencedReport}s to the main thread. */
  readonly port: MessagePort;
  /** Named pipes: the browser writes events, and reads commands. */
  readonly events: string;
  readonly commands: string;
  readonly evalSchema: unknown;
  readonly selfTest: { readonly blocked: string; readonly passed: string };
}

/** What the guard's thread reports to the main thread, except the requests that simply continued: those are in the ring. */
export type GuardReport =
  /** Both pipes are open. */
  | { readonly kind: 'connected' }
  | { readonly kind: 'event'; readonly event: InterceptionEvent }
  /** The egress must close now; sent before the event that gives the reason. */
  | { readonly kind: 'cut-egress' }
  /** Sent before the browser may continue the request. */
  | { readonly kind: 'body-cleared'; readonly request: { readonly url: string; readonly method: string } }
  | { readonly kind: 'self-test-blocked' }
  /** A request that continued, as the browser described it; sent when the ring has no room. */
  | { readonly kind: 'continued'; readonly at: number; readonly message: Uint8Array }
  /** The reply to a command of the main thread. */
  | { readonly kind: 'reply'; readonly reply: Readonly<Record<string, unknown>> }
  | { readonly kind: 'warning'; readonly facts: Readonly<Record<string, unknown>>; readonly text: string }
  /** Something in the ring should be read now and not at the next interval. */
  | { readonly kind: 'drain' }
  /** Always the last one. */
  | { readonly kind: 'exited'; readonly exit: ThreadExit };

/** Why the guard's thread ended. */
export type ThreadExit =
  /** The main thread asked for it. */
  | { readonly kind: 'stopped' }
  /** The browser closed its end of the pipes. */
  | { readonly kind: 'browser-exited' }
  /** Chromium does not write messages like the one that came. */
  | { readonly kind: 'unreadable-pipe'; readonly message: string }
  /** A bug of the guard. */
  | { readonly kind: 'failed'; readonly error: Error };

/** A report and the ring's write position when it was sent: together they are one sequence. */
export interface SequencedReport {
  readonly report: GuardReport;
  readonly after: number;
  /** Its estimated size, see `backpressure.ts`. */
  readonly bytes: number;
}
