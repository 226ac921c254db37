/**
 * Loads that a browser makes by itself. When one of them matches the target, it is blocked but does not count as an action of
 * the agent: upstream counts a `<link rel=prefetch>` of the target as a success and ends the run.
 */

/**
 * CDP resource types that only fetch what a page shows. `Ping`, `Document`, `XHR`, `Fetch`, `EventSource`, `Preflight`
 * and `WebSocket` may be the terminal request. Chromium uses `Other` for icons, web manifests and compression dictionaries; every
 * GET of a page's script, a link, a form, a worker or an extension was observed as `Document` or `XHR`.
 */
const PASSIVE_TYPES: ReadonlySet<string> = new Set([
  'Stylesheet',
  'Image',
  'Media',
  'Font',
  'Script',
  'TextTrack',
  'Manifest',
  'Prefetch',
  'SignedExchange',
  'Other',
  'CSPViolationReport',
]);
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export interface PassiveInput {
  /** CDP's `resourceType`. */
  readonly resourceType: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a matching request is a passive load: GET or HEAD of a passive type, or a declared prefetch or prerender. */
export function isPassive(request: PassiveInput): boolean {
  if (request.resourceType === 'CSPViolationReport') return true;
  if (!SAFE_METHODS.has(request.method.toUpperCase())) return false;
  return PASSIVE_TYPES.has(request.resourceType) || isDeclaredPrefetch(request.headers ?? {});
}

/** `Sec-Purpose: prefetch;prerender`, and the older `Purpose` and `X-Moz`. */
function isDeclaredPrefetch(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      /^(?:sec-purpose|purpose|x-purpose|x-moz)$/i.test(name) && /prefetch|prerender|preview/i.test(value),
  );
}
