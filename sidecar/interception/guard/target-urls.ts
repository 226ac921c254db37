/**
 * URLs of tabs, cross-site frames and workers, as the browser tells them by itself. A pause names only a frame; asking
 * for its URL then would hold the page, so what is known beforehand is all that is used. A frame of the same process
 * is no target: for it the caller has the referrer, and the evidence session knows more.
 */
export interface TargetUrls {
  /** Takes a message of the `Target` domain; ignores all others. */
  event(message: Readonly<Record<string, unknown>>): void;
  /** Empty when unknown. */
  urlOf(frameId: string): string;
}

/** A page can open frames without end; the oldest are forgotten. */
const MAX_TARGETS = 10_000;
/** Longer ones (`data:` above all) are kept as far as this: they say where a request came from, and decide nothing. */
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
      urls.set(info.targetId, clipped(info.url));
      const oldest = urls.size > MAX_TARGETS ? urls.keys().next().value : undefined;
      if (oldest !== undefined) urls.delete(oldest);
    },
    urlOf: (frameId) => urls.get(frameId) ?? '',
  };
}

/** A piece of a string would keep the whole of it in memory. */
function clipped(url: string): string {
  return url.length <= MAX_URL ? url : Buffer.from(url.slice(0, MAX_URL)).toString();
}
