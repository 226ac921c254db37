import { interceptionOnMatch } from '../../../benchmark/bundle/interception-file.ts';
import { decodeLogged, isLogged } from '../../../benchmark/bundle/request-row.ts';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import type { InterceptedRequest, InterceptionEvent, ObservedRequest } from '../../contracts.ts';
import type { Context, OpenedAttempt } from '../context.ts';

/** The attempt whose browser is intercepted. */
export interface Intercepted extends Pick<OpenedAttempt, 'evidence' | 'loaded'> {
  /** Where the control API listens. */
  readonly controlPort: number;
}

/**
 * Writes what interception reports into the evidence and dispatches it to the state machine. Called synchronously while
 * requests wait, so nothing here may be slow.
 */
export function onInterception(context: Context, attempt: Intercepted, event: InterceptionEvent): void {
  const { loop, log, now } = context;
  switch (event.type) {
    case 'request':
      requestSeen(context, attempt, event.request);
      return;
    case 'intercepted':
      requestIntercepted(context, attempt, event.request);
      return;
    case 'blocked':
      log.info({ reason: event.reason, method: event.method }, 'request blocked');
      context.onSessionEvent({ event: 'blocked', reason: event.reason, url: event.url });
      return;
    case 'lost':
      loop.dispatch({ type: 'failed', at: now(), reason: event.reason, message: event.message });
      return;
    case 'escape':
      context.metrics.escaped();
      loop.dispatch({ type: 'escape', at: now(), url: event.url });
      return;
  }
}

function requestSeen({ held }: Context, { evidence, controlPort }: Intercepted, request: ObservedRequest): void {
  // Our own API and the browser's pages are left out of the log, as upstream does; the predicate saw them.
  if (isLogged(request.url, controlPort)) evidence.request(request);
  // A tab that navigates is the one to look at, in the recording too.
  if (request.resourceType === 'Document') held.capture?.focusFrame(request.frameId);
}

function requestIntercepted(context: Context, { evidence, loaded }: Intercepted, request: InterceptedRequest): void {
  const { held, loop, now } = context;
  const schema = loaded.task.evalSchema;
  const { url, method } = request;
  const frameUrl = request.frameUrl || (held.capture?.frameUrl(request.frameId) ?? '');
  const bodyUnavailable = compileTarget(schema).matches({ url, method, body: decodeLogged(request) }) === 'unknown';
  const content: unknown = interceptionOnMatch({ ...request, frameUrl }, schema);
  evidence.interception(content as Record<string, unknown>);
  context.onSessionEvent({ event: 'intercepted', url, method });
  loop.dispatch({ type: 'intercepted', at: now(), bodyUnavailable });
}
