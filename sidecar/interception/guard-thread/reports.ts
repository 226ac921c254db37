import type { MessagePort } from 'node:worker_threads';
import type { InterceptionEvent } from '../../contracts.ts';
import type { SharedMemory } from './memory.ts';

/** What the thread is started with. */
export interface GuardThreadData {
  readonly memory: SharedMemory;
  /** Carries {@link GuardReport}s out and {@link NewTask}s in. */
  readonly port: MessagePort;
  /** Named pipes: the browser writes events, and reads commands. */
  readonly events: string;
  readonly commands: string;
  readonly evalSchema: unknown;
  readonly selfTest: { readonly blocked: string; readonly passed: string };
  /** See `withoutMatch`. */
  readonly keepOpen: boolean;
}

/** Another task from the next request on (tests: one browser, many tasks). */
export interface NewTask {
  readonly evalSchema: unknown;
}

/** What the guard's thread tells the main thread; all but the requests that simply went on, which are in the ring. */
export type GuardReport =
  /** Both pipes are open. */
  | { readonly kind: 'connected' }
  | { readonly kind: 'event'; readonly event: InterceptionEvent }
  /** The way out must close now; said before the event that tells why. */
  | { readonly kind: 'cut' }
  /** Said before the browser may go on with it. */
  | { readonly kind: 'released'; readonly request: { readonly url: string; readonly method: string } }
  | { readonly kind: 'selfTestBlocked' }
  /** A request that went on, as the browser told it: the ring had no room. */
  | { readonly kind: 'passed'; readonly at: number; readonly message: Uint8Array }
  /** To a command of the main thread. */
  | { readonly kind: 'reply'; readonly reply: Readonly<Record<string, unknown>> }
  | { readonly kind: 'warning'; readonly facts: Readonly<Record<string, unknown>>; readonly text: string }
  /** Something in the ring should not wait for the next time. */
  | { readonly kind: 'drain' }
  | { readonly kind: 'left'; readonly why: ThreadExit };

export type ThreadExit =
  /** Was told to. */
  | { readonly kind: 'stopped' }
  /** The browser closed its end. */
  | { readonly kind: 'ended' }
  /** What came is not what Chromium writes. */
  | { readonly kind: 'broken'; readonly message: string }
  /** Our own fault. */
  | { readonly kind: 'failed'; readonly error: Error };

/** A report and how far the ring was written then: both together are one sequence. */
export interface SequencedReport {
  readonly report: GuardReport;
  readonly after: number;
  /** Bytes, see `backlog.ts`. */
  readonly weight: number;
}
