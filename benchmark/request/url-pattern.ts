import { RE2JS, RE2JSSyntaxException } from 're2js';

/**
 * A task's `url_pattern` is a user's regular expression, tested against every URL of a live page on the thread that holds the
 * browser's requests. With a backtracking engine `(a+)+$` could block the guard forever, so patterns run in linear time; a
 * construct that such an engine does not support is refused by name before the run starts. The 127
 * patterns of the public corpora use none of it (checked by `corpus.test.ts`).
 */
export interface UrlPattern {
  readonly source: string;
  /** Python's `re.search`: anywhere in the text. */
  search(url: string): boolean;
}

/** The pattern cannot be used. `construct` names what is not supported; `message` is one sentence, the remedy last. */
export class PatternError extends Error {
  readonly pattern: string;
  readonly construct: string;
  constructor(pattern: string, construct: string, detail: string) {
    super(`url_pattern ${JSON.stringify(clip(pattern))} cannot be used: ${detail}`);
    this.name = 'PatternError';
    this.pattern = pattern;
    this.construct = construct;
  }
}

const REMEDY = 'which patterns cannot use because they run in linear time; rewrite the pattern without it';
const CONSTRUCTS: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'look-around'],
  [/\(\?>/, 'atomic group'],
  [/\(\?\(/, 'conditional group'],
  [/\(\?#/, 'comment group'],
  [/\(\?P=|\\[1-9]|\\k[<'{]/, 'back-reference'],
  [/[*+?}]\+/, 'possessive quantifier'],
  [/\\Z/, 'the anchor \\Z'],
  [/\\[uUN]/, 'a \\u escape'],
];
const REPEAT = 'repeat counts that multiply to more than 1000';
/** The longest pattern of the corpora has 171 characters; one of a megabyte takes two seconds to compile on the guard's thread. */
const MAX_LENGTH = 10_000;

/**
 * Compiles a `url_pattern`.
 * @throws PatternError with the construct's name.
 */
export function compilePattern(source: string): UrlPattern {
  if (source.length > MAX_LENGTH)
    throw new PatternError(source, 'length', `it has more than ${String(MAX_LENGTH)} characters; shorten it`);
  try {
    const compiled = RE2JS.compile(source);
    return { source, search: (url) => compiled.test(url) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw refusal(source, error.message);
  }
}

function refusal(source: string, detail: string): PatternError {
  const construct = /invalid repeat count/.test(detail)
    ? REPEAT
    : CONSTRUCTS.find(([shape]) => shape.test(source))?.[1];
  if (construct !== undefined) return new PatternError(source, construct, `it uses ${construct}, ${REMEDY}`);
  return new PatternError(source, 'syntax', `it is not a valid regular expression (${clip(detail)})`);
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
