import type { Target } from '../../../benchmark/request/predicate.ts';
import type { PhaseState } from '../phase.ts';
import { readPauseStart } from '../pipe/pause-start.ts';
import { decideHead } from './decide-head.ts';
import type { Pauses } from './pauses.ts';

export interface FastPathOptions {
  readonly target: Target;
  readonly phase: PhaseState;
  readonly selfTest: { readonly blocked: string; readonly passed: string };
  readonly pauses: Pick<Pauses, 'opened' | 'continue'>;
  /** Told of each request that was let go; the message is the caller's buffer. `urgent`: a tab navigates. */
  readonly passed: (at: number, message: Buffer, urgent: boolean) => void;
  readonly now: () => number;
}

/** The resource type stands among the last fields. */
const TAIL_BYTES = 400;
const NAVIGATES = Buffer.from('"resourceType":"Document"');

/** Takes a whole message; false: it is none that may go on at once. */
export type FastPath = (message: Buffer) => boolean;

/**
 * Lets a request go on from the first bytes of its message, and leaves reading the rest to the main thread. Only what
 * the guard would let go by its head is taken; everything else, and everything in doubt, is answered by false and is the
 * guard's (`guard.ts`).
 */
export function createFastPath(options: FastPathOptions): FastPath {
  const { phase, pauses, passed, now } = options;
  const input = { phase: 'armed', target: options.target, selfTest: options.selfTest } as const;
  return (message) => {
    if (phase.current !== 'armed') return false;
    const start = readPauseStart(message);
    if (start === null || decideHead(input, start).action !== 'continue') return false;
    const at = now();
    pauses.opened(start.requestId, start.url);
    pauses.continue(start.requestId);
    passed(at, message, message.subarray(-TAIL_BYTES).includes(NAVIGATES));
    return true;
  };
}
