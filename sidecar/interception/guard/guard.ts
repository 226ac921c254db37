import { decodeBody } from '../../../benchmark/request/body.ts';
import { isPassive } from '../../../benchmark/request/passive-load.ts';
import type { Target } from '../../../benchmark/request/predicate.ts';
import type { InterceptionEvent, ObservedRequest } from '../../contracts.ts';
import type { PhaseState } from '../phase.ts';
import type { PausedHead } from '../pipe/message-head.ts';
import type { PausedRest } from '../pipe/paused-body.ts';
import { decideHead, type HeadDecision } from './decide-head.ts';
import { observedRequest, withInitiator } from './observed-request.ts';
import type { Pauses } from './pauses.ts';

/** Body bytes kept for a request that is only logged, and for one that is evidence (above the decoder's own cap). */
export const LOGGED_BODY_BYTES = 1024 * 1024;
export const MATCHED_BODY_BYTES = 32 * 1024 * 1024;

export interface GuardOptions {
  readonly target: Target;
  readonly phase: PhaseState;
  readonly selfTest: { readonly blocked: string; readonly passed: string };
  readonly pauses: Pauses;
  /** Called for each request that matches the target by URL and method but not by body. */
  readonly bodyCleared: (request: PausedHead) => void;
  /** Closes the browser's egress: called when the phase has moved and before the event that gives the reason. */
  readonly cutEgress: () => void;
  readonly frameUrl: (frameId: string) => string;
  readonly emit: (event: InterceptionEvent) => void;
  /** Called for each pause that was failed as the self-test. */
  readonly selfTestBlocked: () => void;
  readonly now: () => number;
}

/** Takes pauses in two steps (see `pipe/message-reader.ts`): the first decides, the second reports. */
export interface Guard {
  head(head: PausedHead): number;
  rest(head: PausedHead, rest: PausedRest): void;
  /** The pipe is gone: reports a match whose body never came, as far as it is known. */
  lost(): void;
}

interface Open {
  readonly head: PausedHead;
  readonly at: number;
  readonly decision: HeadDecision;
  /** The run's phase moved to `matched` because of this request, before its body came. */
  readonly committed: boolean;
}

export function createGuard(options: GuardOptions): Guard {
  const { target, phase, pauses, emit, now } = options;
  let open: Open | null = null;

  const commit = (): boolean => {
    if (!phase.advance('matched')) return false;
    options.cutEgress();
    return true;
  };

  /** Reports a request that is already blocked: as passive, as the match, or as one after the match. */
  const report = (request: ObservedRequest, committed: boolean): void => {
    emit({ type: 'request', request });
    const { at, url, method } = request;
    if (!committed && isPassive(request)) emit({ type: 'blocked', at, reason: 'passive', url, method });
    else if (committed || commit())
      emit({ type: 'intercepted', request: withInitiator(request, options.frameUrl(request.frameId)) });
    else emit({ type: 'blocked', at, reason: 'after-match', url, method });
  };

  const decideByBody = (head: PausedHead, request: ObservedRequest): void => {
    if (phase.current !== 'armed') {
      pauses.fail(head.requestId);
      return settled({ action: 'fail', why: phase.current === 'matched' ? 'after-match' : 'frozen' }, request);
    }
    const body = decodeBody({ bytes: request.body, status: request.bodyStatus, headers: head.headers });
    if (target.matches({ url: head.url, method: head.method, body }) === 'no-match') {
      // Reported before the browser can continue it.
      options.bodyCleared(head);
      pauses.continue(head.requestId);
      return settled({ action: 'continue' }, request);
    }
    pauses.fail(head.requestId);
    report(request, false);
  };

  const settled = (decision: HeadDecision, request: ObservedRequest): void => {
    emit({ type: 'request', request });
    if (decision.action !== 'fail' || decision.why === 'not-armed' || decision.why === 'self-test') return;
    emit({ type: 'blocked', at: request.at, reason: decision.why, url: request.url, method: request.method });
  };

  return {
    head: (head) => {
      const decision = decideHead({ phase: phase.current, target, selfTest: options.selfTest }, head);
      pauses.opened(head.requestId, head.url);
      if (decision.action === 'continue') pauses.continue(head.requestId);
      else if (decision.action !== 'need-body') pauses.fail(head.requestId);
      const committed = decision.action === 'match' && surelyActive(head) && commit();
      open = { head, at: now(), decision, committed };
      return decision.action === 'match' || decision.action === 'need-body' ? MATCHED_BODY_BYTES : LOGGED_BODY_BYTES;
    },
    rest: (head, rest) => {
      const current = open;
      open = null;
      if (current === null) return;
      const { decision } = current;
      if (decision.action === 'fail' && decision.why === 'self-test') return options.selfTestBlocked();
      const request = observedRequest(current.at, head, rest);
      if (decision.action === 'need-body') decideByBody(head, request);
      else if (decision.action === 'match') report(request, current.committed);
      else if (phase.current !== 'starting') settled(decision, request);
    },
    lost: () => {
      if (open?.committed !== true) return;
      const rest: PausedRest = { frameId: '', resourceType: '', body: { status: 'unavailable' } };
      report(observedRequest(open.at, open.head, rest), true);
      open = null;
    },
  };
}

/**
 * Whether method and headers alone show that this is not a passive load. Only GET, HEAD and reports can be passive, and the
 * resource type that decides comes after the body: for an upload the egress is cut without waiting for it.
 */
function surelyActive(head: PausedHead): boolean {
  const reports = Object.entries(head.headers).some(
    ([name, value]) => /^content-type$/i.test(name) && /csp-report|reports\+json/i.test(value),
  );
  return !reports && !/^(?:GET|HEAD)$/i.test(head.method);
}
