import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';

/**
 * The registrable domain that a pattern targets, from its text: the literal host before the first slash. Null when the
 * pattern has no host (`/api/task-submit`) or builds it from alternatives that end differently.
 */
export function patternDomain(pattern: string): string | null {
  const text = pattern
    .replace(/^(?:\(\?[a-zA-Z]+\))?(?:\^|\\A)?/, '')
    .replace(/^(?:\(\?:)?https\??\)?\??:(?:\\?\/){2}/, '')
    .replace(/\\([./-])/g, '$1');
  const host = text.split('/')[0] ?? '';
  // The registrable part is at the end: whatever a group or class does before it changes a subdomain only.
  const literal = /[\p{L}\p{M}\p{N}.-]*$/u.exec(host)?.[0] ?? '';
  return domainOf(literal.replace(/^[.-]+/, ''));
}

/** Registrable domain of a host, URL or `host/path`; null for words such as `web`. */
export function siteDomain(site: string): string | null {
  const text = site.trim().toLowerCase();
  return domainOf(URL.parse(text)?.hostname || text);
}

function domainOf(text: string): string | null {
  // An IDN is one site in both spellings; addresses with a path are no host name and are the library's to cut.
  const host = /^[^\s/:?#@]+$/.test(text) ? domainToASCII(text) || text : text;
  return host === '' ? null : getDomain(host.toLowerCase(), { validateHostname: true });
}
