/** Query parameters that contain a credential, compared without case, hyphens and underscores. */
const SECRET_PARAMETER = /apikey|jwt|token|secret|signingkey/;
const MARK = '%5BREDACTED%5D';

/**
 * A remote browser's address without its credentials, for metadata and logs. Unlike upstream, it also redacts a user and
 * password before the host. It works on the text: the address need not be a valid URL.
 */
export function redactCdpUrl(url: string): string {
  const cut = url.search(/[?#]/);
  const head = cut === -1 ? url : url.slice(0, cut);
  const [query = '', ...fragment] = (cut === -1 ? '' : url.slice(cut)).split('#');
  const hash = fragment.length === 0 ? '' : `#${redactPairs(fragment.join('#'))}`;
  return withoutUser(head) + (query.startsWith('?') ? `?${redactPairs(query.slice(1))}` : query) + hash;
}

function withoutUser(head: string): string {
  return head.replace(
    /^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i,
    (_all, scheme: string | undefined) => `${scheme ?? ''}//${MARK}@`,
  );
}

function redactPairs(query: string): string {
  return query.replace(/([^&;=]+)=([^&;]*)/g, (pair, name: string) =>
    SECRET_PARAMETER.test(plainName(name)) ? `${name}=${MARK}` : pair,
  );
}

function plainName(name: string): string {
  return decoded(name).toLowerCase().replace(/[-_]/g, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
