import { interceptionOnMatch } from '../../../benchmark/bundle/interception-file.ts';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { decodeSeen, isLogged } from '../../../benchmark/bundle/request-row.ts';
import type { InterceptedRequest, InterceptionEvent, ObservedRequest } from '../../contracts.ts';
import type { Context } from '../context.ts';

/** What guard, gateway and door report, into evidence and the machine. Called synchronously while requests wait: nothing slow. */
export function onInterception(context: Context, event: InterceptionEvent): void {
  const { loop, log, now } = context;
  switch (event.type) {
    case 'request':
      requestSeen(context, event.request);
      return;
    case 'intercepted':
      requestIntercepted(context, event.request);
      return;
    case 'blocked':
      log.info({ reason: event.reason, method: event.method }, 'blocked');
      context.tell({ event: 'blocked', reason: event.reason, url: event.url });
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

function requestSeen({ holdings }: Context, request: ObservedRequest): void {
  // Our own API and the browser's pages are left out of the log, as upstream does; the predicate saw them.
  if (isLogged(request.url, holdings.controlPort)) holdings.evidence?.request(request);
  // A tab that navigates is the one to look at, in the recording too.
  if (request.resourceType === 'Document') holdings.capture?.focusFrame(request.frameId);
}

function requestIntercepted(context: Context, request: InterceptedRequest): void {
  const { holdings, loop, now } = context;
  const schema = holdings.loaded?.task.evalSchema;
  const frameUrl = request.frameUrl || (holdings.capture?.frameUrl(request.frameId) ?? '');
  holdings.bodyUnavailable =
    compileTarget(schema).matches({ ...head(request), body: decodeSeen(request) }) === 'unknown';
  const content: unknown = interceptionOnMatch({ ...request, frameUrl }, schema);
  holdings.evidence?.interception(content as Record<string, unknown>);
  context.tell({ event: 'intercepted', url: request.url, method: request.method });
  loop.dispatch({ type: 'intercepted', at: now() });
}

function head(request: InterceptedRequest): { url: string; method: string } {
  return { url: request.url, method: request.method };
}
