import { RE2JS } from 're2js';

/**
 * Shell-style matching as in Python's `fnmatchcase`: `*` and `?` also match `/`, `[abc]` and `[!abc]` are classes,
 * matching is case-sensitive, nothing else is special. Model names contain slashes (`z-ai/glm-4.5-air:free`), so path globs, in
 * which `*` stops at a slash, would miss them. Matching takes linear time, whatever the number of stars.
 */
export function fnmatch(pattern: string): (name: string) => boolean {
  const compiled = compile(pattern);
  return (name) => compiled?.test(name) ?? false;
}

/** Null for an empty class such as `[z-a]`, which matches nothing in Python. */
function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(`^(?s:${translate(pattern)})$`);
  } catch {
    return null;
  }
}

function translate(pattern: string): string {
  let out = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    const end = char === '[' ? classEnd(pattern, at) : -1;
    if (char === '*') out += '.*';
    else if (char === '?') out += '.';
    else if (end !== -1) {
      out += classOf(pattern.slice(at + 1, end));
      at = end;
    } else out += RE2JS.quote(char);
  }
  return out;
}

/** Index of the closing bracket; a bracket right after `[` or `[!` is a member. -1: the `[` is literal. */
function classEnd(pattern: string, start: number): number {
  const first = pattern.charAt(start + 1) === '!' ? start + 2 : start + 1;
  return pattern.indexOf(']', first + 1);
}

function classOf(inner: string): string {
  const negated = inner.startsWith('!');
  const members = (negated ? inner.slice(1) : inner).replace(/[\\[\]^&~|]/g, '\\$&');
  return `[${negated ? '^' : ''}${members}]`;
}
