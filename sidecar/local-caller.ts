import type { IncomingHttpHeaders } from 'node:http';

/**
 * Who may call a port on loopback: programs, not pages. These ports have no secret, because upstream's harness scripts
 * call the control API with plain curl, DevTools clients cannot send one, and a person opens the viewer in a browser.
 * What must be kept out is a page of some site that an agent's browser, or a person's, has open.
 *
 * A page's request shows itself in one of two ways:
 * - It carries `Origin` (each POST, each WebSocket, each cross-origin fetch) or `Sec-Fetch-Site` (everything that
 *   Chromium sends to a trustworthy address such as 127.0.0.1). Clients of DevTools, the SDKs of the model providers and
 *   Node's `fetch`, which sends `Sec-Fetch-Mode`, send neither.
 * - A page can make its own name resolve to 127.0.0.1 (DNS rebinding). Its GET requests are then same-origin and go to an
 *   untrustworthy address, so they carry neither header, but the page's name is still in `Host`.
 */
export function isLocalProgram(headers: IncomingHttpHeaders): boolean {
  return isLoopbackHost(headers.host) && !isFromPage(headers);
}

/**
 * Whether a `Host` header names this machine's loopback. Any port is accepted, so that a forwarded port (`ssh -L`) works,
 * and any address in 127.0.0.0/8, because an address cannot be rebound. Of names only `localhost`, which browsers never
 * look up.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

function isFromPage(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}
