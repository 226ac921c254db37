import { getDomain } from 'tldts';

/**
 * The registrable domain a pattern is about, read off its text: the literal host before the first slash. Null when the
 * pattern names no host (`/api/task-submit`) or builds it from alternatives that end differently.
 */
export function patternDomain(pattern: string): string | null {
  const text = pattern
    .replace(/^\^/, '')
    .replace(/^(?:\(\?:)?https\??\)?\??:(?:\\?\/){2}/, '')
    .replace(/\\([./-])/g, '$1');
  const host = text.split('/')[0] ?? '';
  // The registrable part is at the end: whatever a group or class does before it changes a subdomain only.
  const literal = /[a-z0-9.-]*$/i.exec(host)?.[0] ?? '';
  return domainOf(literal.replace(/^[.-]+/, ''));
}

/** Registrable domain of a host, URL or `host/path`; null for words such as `web`. */
export function siteDomain(site: string): string | null {
  return domainOf(site.trim().toLowerCase());
}

function domainOf(text: string): string | null {
  return text === '' ? null : getDomain(text.toLowerCase(), { validateHostname: true });
}
