import type { IncomingHttpHeaders } from 'node:http';

/** The two routes of claw-eval's answer page: the only ones that a page in the browser may use. */
export const ANSWER_PAGE_ROUTES: ReadonlySet<string> = new Set(['GET /submit', 'POST /api/task-submit']);

/**
 * Why a caller is refused, or null. The API has no secret, since harness scripts of upstream's call it with plain curl;
 * what it must keep out is pages: upstream's could be stopped by any page's form. Browsers mark what pages send with
 * `Origin` or `Sec-Fetch-Site`, and a page that reaches us by a name of its own (DNS rebinding) shows it in `Host`.
 */
export function refusal(route: string, headers: IncomingHttpHeaders): string | null {
  if (!isLoopbackHost(headers.host)) return 'this API answers to loopback names only';
  if (ANSWER_PAGE_ROUTES.has(route)) return null;
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
    return 'pages may use the answer page only';
  }
  return null;
}

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host);
}
