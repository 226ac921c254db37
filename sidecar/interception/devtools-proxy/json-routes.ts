/** The route of Chromium's DevTools HTTP API that a request is forwarded to; null when the proxy does not serve it. */
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
 * Rewrites every DevTools URL of a response to the proxy's address: Chromium responds with the address that it was asked
 * under, which is a socket that the client cannot reach.
 * @param authority host and port as the client wrote them (its `Host` header), so that a forwarded port works too.
 */
export function rewriteDevToolsUrls(body: string, authority: string): string {
  return body.replace(/(ws:\/\/|[?&]ws=)[^/"\s]+(?=\/devtools\/)/g, `$1${authority}`);
}
