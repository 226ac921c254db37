/**
 * URLs of DevTools targets (tabs, cross-site frames and workers), as the browser reports them by itself. A pause names only
 * a frame; asking for its URL at that moment would hold the page, so only what is known already is used. A frame of the
 * same process is not a target: for it the caller uses the referrer, and the evidence session knows more.
 */
export interface TargetUrls {
  /** Takes a message of the `Target` domain; ignores all others. */
  event(message: Readonly<Record<string, unknown>>): void;
  /** Empty when unknown. */
  urlOf(frameId: string): string;
}

/** A page can open any number of frames; the oldest are dropped. */
const MAX_TARGETS = 10_000;
/** Longer URLs (mostly `data:`) are truncated: they say where a request came from, and decide nothing. */
const MAX_URL = 2_048;

export function createTargetUrls(): TargetUrls {
  const urls = new Map<string, string>();
  return {
    event: (message) => {
      const params = message['params'] as
        { targetInfo?: { targetId: string; url: string }; targetId?: string } | undefined;
      if (message['method'] === 'Target.targetDestroyed' && params?.targetId !== undefined)
        urls.delete(params.targetId);
      if (!/^Target\.target(?:Created|InfoChanged)$/.test(String(message['method']))) return;
      const info = params?.targetInfo;
      if (info === undefined) return;
      urls.delete(info.targetId);
      urls.set(info.targetId, truncated(info.url));
      const oldest = urls.size > MAX_TARGETS ? urls.keys().next().value : undefined;
      if (oldest !== undefined) urls.delete(oldest);
    },
    urlOf: (frameId) => urls.get(frameId) ?? '',
  };
}

/** Copied, because a slice of a string keeps the whole string in memory. */
function truncated(url: string): string {
  return url.length <= MAX_URL ? url : Buffer.from(url.slice(0, MAX_URL)).toString();
}
