/** Chromium's `/json` routes, as seen through the door. */

/** Path to ask Chromium for, or null when the door has no such page. */
export function browserRoute(
  method: string,
  url: string,
): { readonly method: 'GET' | 'PUT'; readonly path: string } | null {
  const [path = '', ...query] = url.split('?');
  const plain = path.replace(/\/$/, '');
  if (plain === '/json/new')
    return method === 'PUT' ? { method, path: query.length > 0 ? `${plain}?${query.join('?')}` : plain } : null;
  const known = /^\/json(?:\/(?:version|list|protocol))?$|^\/json\/(?:activate|close)\/[A-Za-z0-9-]+$/.test(plain);
  return known && method === 'GET' ? { method, path: plain } : null;
}

/**
 * Every DevTools address of a reply, pointed at the door: Chromium answers with the address that it was asked under,
 * which is a socket that the client has not.
 * @param door host and port as the client wrote them (its `Host` header), so that a forwarded port works too.
 */
export function rewriteDevtoolsUrls(body: string, door: string): string {
  return body.replace(/(ws:\/\/|[?&]ws=)[^/"\s]+(?=\/devtools\/)/g, `$1${door}`);
}
