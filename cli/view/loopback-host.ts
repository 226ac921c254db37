/**
 * Whether a `Host` header names this machine's loopback. A page of a foreign site can make its own name resolve to
 * 127.0.0.1 (DNS rebinding) and then read everything served here, as its own origin; its name still stands in `Host`.
 * Any port will do, so that a forwarded port (`ssh -L`) works.
 */
export function isLoopbackHost(header: string | undefined): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(header ?? '');
}
