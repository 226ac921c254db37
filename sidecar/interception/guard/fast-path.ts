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
  /** Called for each request that continued; the message is in the caller's buffer. `urgent`: a tab navigates. */
  readonly continued: (at: number, message: Buffer, urgent: boolean) => void;
  readonly now: () => number;
}

/** The resource type is among the last fields. */
const TAIL_BYTES = 400;
const NAVIGATES = Buffer.from('"resourceType":"Document"');

/** Takes a whole message. @returns false when it is not a request that may continue at once. */
export type FastPath = (message: Buffer) => boolean;

/**
 * Continues a request by the first bytes of its message, and leaves reading the rest to the main thread. It accepts only
 * what the guard would continue by URL and method; for everything else, and in every doubt, it returns false and the
 * guard (`guard.ts`) decides.
 */
export function createFastPath(options: FastPathOptions): FastPath {
  const { phase, pauses, continued, now } = options;
  const input = { phase: 'armed', target: options.target, selfTest: options.selfTest } as const;
  return (message) => {
    if (phase.current !== 'armed') return false;
    const start = readPauseStart(message);
    if (start === null || decideHead(input, start).action !== 'continue') return false;
    const at = now();
    pauses.opened(start.requestId, start.url);
    pauses.continue(start.requestId);
    continued(at, message, message.subarray(-TAIL_BYTES).includes(NAVIGATES));
    return true;
  };
}
