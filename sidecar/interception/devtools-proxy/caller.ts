import type { IncomingMessage } from 'node:http';

/**
 * Who may speak to the door: programs of the pod, never a page. A page's request carries an Origin, or, when a name was
 * rebound to loopback, a Host that is not loopback.
 */
export function isLocalProgram(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { host, origin } = request.headers;
  if (origin !== undefined || request.headers['sec-fetch-site'] !== undefined) return false;
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
