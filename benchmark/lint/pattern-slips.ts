/**
 * Marks of a regular expression that an author meant as text. The pattern is valid and matches something, and what it
 * matches is never what the site is sent.
 */
export interface PatternSlip {
  /** What stands in the pattern. */
  readonly found: string;
  /** What it means to the engine. */
  readonly means: string;
  /** What to write. */
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
