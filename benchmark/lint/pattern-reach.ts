import { compileTarget } from '../request/predicate.ts';
import { patternExamples } from './pattern-examples.ts';

/**
 * Whether a browser can send a request that the pattern matches. A pattern is written by a person, and a URL by a
 * browser, which puts host names in lower case, leaves out default ports and fragments, and escapes what is no ASCII: a
 * pattern that asks for anything else waits for a request that never comes, and the real one reaches the site.
 */
export type PatternReach =
  /** A request as a browser sends it, and matched. */
  | { readonly kind: 'example'; readonly url: string }
  /** No request is matched; `written` is what a browser makes of what the pattern asks for. Null: no URL at all. */
  | { readonly kind: 'never'; readonly asked: string; readonly written: string | null }
  /** The pattern's syntax is not understood well enough to tell. */
  | { readonly kind: 'unknown' };

/** A site for patterns that name none. */
const ANY_SITE = 'https://site.example';

/** @param pattern one that compiles. */
export function patternReach(pattern: string): PatternReach {
  const asked = patternExamples(pattern).flatMap(asUrls);
  if (asked.length === 0) return { kind: 'unknown' };
  const target = compileTarget({ url_pattern: pattern });
  for (const text of asked) {
    const url = asSent(text);
    if (url !== null && target.matchesHead({ url, method: 'GET' })) return { kind: 'example', url };
  }
  // What no alternative makes and `.*` in the engine's own words would: an example that is not a URL proves nothing.
  const [first = ''] = asked;
  const written = asked.map(asSent).find((url) => url !== null) ?? null;
  return { kind: 'never', asked: first, written };
}

/** The ways in which a text that a pattern matches can stand in a URL. */
function asUrls(text: string): readonly string[] {
  if (/^(?:https?|wss?):\/\//i.test(text)) return [text];
  if (/^:?\/\//.test(text)) return [`https:${text.replace(/^:/, '')}`];
  if (text.startsWith('/')) return [ANY_SITE + text];
  const asHost = /^[^/?#]*\.[^/?#]+/.test(text) ? [`https://${text}`] : [];
  return [...asHost, `${ANY_SITE}/${text}`, `${ANY_SITE}/?${text}`];
}

/** The URL of the request that a browser sends for an address; null: it sends none. */
function asSent(text: string): string | null {
  const parsed = URL.parse(text);
  if (parsed === null || parsed.hostname === '') return null;
  parsed.hash = '';
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
