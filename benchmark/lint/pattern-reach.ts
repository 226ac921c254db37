import { compileTarget } from '../request/predicate.ts';
import { patternExamples } from './pattern-examples.ts';

/**
 * Whether a browser can send a request that the pattern matches. A person writes the pattern, but a browser writes the URL: it
 * lower-cases host names, omits default ports and fragments, and escapes non-ASCII characters. A pattern that requires anything
 * else waits for a request that never comes, and the real one reaches the site.
 */
export type PatternReach =
  /** The URL of a request as a browser sends it, which the pattern matches. */
  | { readonly kind: 'example'; readonly url: string }
  /** The pattern matches no request; `written` is how a browser writes the URL that it requires. Null: not a URL. */
  | { readonly kind: 'never'; readonly asked: string; readonly written: string | null }
  /** The pattern's syntax is not supported, so the answer is unknown. */
  | { readonly kind: 'unknown' };

/** The site for patterns without a host. */
const ANY_SITE = 'https://site.example';

/** @param pattern a pattern that compiles. */
export function patternReach(pattern: string): PatternReach {
  const asked = patternExamples(pattern).flatMap(asUrls);
  if (asked.length === 0) return { kind: 'unknown' };
  const target = compileTarget({ url_pattern: pattern });
  for (const text of asked) {
    const url = asSent(text);
    if (url !== null && target.matchesHead({ url, method: 'GET' })) return { kind: 'example', url };
  }
  // No example is a request that a browser sends.
  const [first = ''] = asked;
  const written = asked.map(asSent).find((url) => url !== null) ?? null;
  return { kind: 'never', asked: first, written };
}

/** The URLs in which a text that a pattern matches can occur. */
function asUrls(text: string): readonly string[] {
  if (/^(?:https?|wss?):\/\//i.test(text)) return [text];
  if (/^:?\/\//.test(text)) return [`https:${text.replace(/^:/, '')}`];
  if (text.startsWith('/')) return [ANY_SITE + text];
  const asHost = /^[^/?#]*\.[^/?#]+/.test(text) ? [`https://${text}`] : [];
  return [...asHost, `${ANY_SITE}/${text}`, `${ANY_SITE}/?${text}`];
}

/** The URL of the request that a browser sends for an address; null: none. */
function asSent(text: string): string | null {
  const parsed = URL.parse(text);
  if (parsed === null || parsed.hostname === '') return null;
  parsed.hash = '';
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
