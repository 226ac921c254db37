/**
 * The host that politeness limits count by, from `metadata.sites_involved`. The field holds host names, full URLs,
 * host and path, or the word `web`; it may differ from the target's host and is still what a task
 * mostly visits.
 */
export function siteHost(sites: unknown): string {
  const first: unknown = Array.isArray(sites) ? sites[0] : sites;
  if (typeof first !== 'string') return '';
  const text = first.trim().toLowerCase();
  const url = /^[a-z][a-z0-9+.-]*:\/\//.test(text) ? text : `https://${text}`;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const bare = host.replace(/^www\./, '').replace(/\.$/, '');
  return bare === 'web' ? '' : bare;
}
