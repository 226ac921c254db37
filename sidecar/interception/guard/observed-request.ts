import type { InterceptedRequest, ObservedRequest } from '../../contracts.ts';
import type { PausedHead } from '../pipe/message-head.ts';
import type { PausedRest } from '../pipe/paused-body.ts';

/** A paused request as the rest of the recorder sees it. */
export function observedRequest(at: number, head: PausedHead, rest: PausedRest): ObservedRequest {
  return {
    at,
    url: head.url,
    method: head.method,
    headers: head.headers,
    resourceType: rest.resourceType,
    frameId: rest.frameId,
    ...(rest.body.bytes === undefined ? {} : { body: rest.body.bytes }),
    bodyStatus: rest.body.status,
  };
}

/**
 * Adds the document that sent the request. CDP's Fetch names no initiator: the referrer is that document; the frame's own
 * URL is used where a referrer policy removed it, and a worker's token is its target id.
 */
export function withInitiator(request: ObservedRequest, frameUrl: string): InterceptedRequest {
  const referrer = header(request.headers, 'referer');
  return {
    ...request,
    frameUrl: frameUrl === '' ? referrer : frameUrl,
    initiator: referrer === '' ? frameUrl : referrer,
  };
}

function header(headers: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
}
