/**
 * A metacharacter of a regular expression that the author meant as text. The pattern is valid and matches something, but
 * never the request that the site receives.
 */
export interface UnescapedCharacter {
  /** The part of the pattern. */
  readonly text: string;
  /** Its effect in a regular expression, as the end of a sentence. */
  readonly means: string;
  /** What to write instead. */
  readonly write: string;
}

/** The first such character of a pattern; null: none was found. */
export function unescapedCharacter(pattern: string): UnescapedCharacter | null {
  return unescapedQuery(pattern) ?? templateBraces(pattern);
}

/** `order?id=`: the question mark that begins the query makes the letter before it optional. */
function unescapedQuery(pattern: string): UnescapedCharacter | null {
  const found = /\w\?(?<name>[A-Za-z_][\w.-]*=)/.exec(pattern);
  // After a literal question mark the pattern is in the query already, where `colou?r=` may be meant.
  if (found === null || /\\\?|\[[^\]]*\?/.test(pattern.slice(0, found.index))) return null;
  const name = found.groups?.['name'] ?? '';
  return { text: `?${name}`, means: 'makes the character before it optional', write: `\\?${name}` };
}

/** `/orders/{id}/pay`: braces without a number are literal text. */
function templateBraces(pattern: string): UnescapedCharacter | null {
  const found = /(?<!\\|\\[pP])\{[A-Za-z_][\w-]*\}/.exec(pattern);
  return found === null ? null : { text: found[0], means: 'matches that literal text', write: '[^/]+' };
}
