/**
 * Metacharacters of a regular expression that the author meant as text. The pattern is valid and matches something, but never
 * the request that the site receives.
 */
export interface PatternSlip {
  /** The part of the pattern. */
  readonly found: string;
  /** Its meaning in a regular expression. */
  readonly means: string;
  /** What to write instead. */
  readonly write: string;
}

/** The first slip of a pattern; null: none was found. */
export function patternSlip(pattern: string): PatternSlip | null {
  // `order?id=`: the question mark that begins a query makes the letter before it optional.
  const query = /(?<![\\?*+}])(?<before>[\w)])\?(?<name>[A-Za-z_][\w.-]*=)/.exec(pattern);
  if (query?.groups !== undefined && !/\)$/.test(query.groups['before'] ?? '')) {
    const name = query.groups['name'] ?? '';
    return { found: `?${name}`, means: 'that the character before it is optional', write: `\\?${name}` };
  }
  const braces = /(?<!\\)(?<!\\[pP])\{(?<name>[A-Za-z_][\w-]*)\}/.exec(pattern);
  if (braces?.groups !== undefined) return { found: braces[0], means: 'those very characters', write: '[^/]+' };
  return null;
}
