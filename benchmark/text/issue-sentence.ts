import type { z } from 'zod';

/**
 * A validation issue as a sentence for the author of the file: `time_limit is missing`. A value is never quoted, only its
 * type, because some of these files contain keys.
 * @param issue the validator's issue.
 * @param value the validated value.
 * @param whole the name of the value, used when the issue is not about a field.
 */
export function issueSentence(issue: z.core.$ZodIssue, value: unknown, whole: string): string {
  const field = dotted(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => dotted([...issue.path, key]));
    return names.length === 1 ? `${names.join('')} is not a known field` : `${names.join(', ')} are not known fields`;
  }
  const found = at(value, issue.path);
  return `${field || whole} ${found === undefined ? 'is missing' : predicate(issue, found)}`;
}

/** `a.b.0` of a path of keys and indexes. */
function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}

function predicate(issue: z.core.$ZodIssue, found: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}, not ${received(found)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${bound(issue, 'at least', 'more than', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue, 'at most', 'less than', issue.maximum)}`;
    default:
      return ownMessage(issue) ?? 'is not valid';
  }
}

/** A schema's own message is a predicate (`must not be blank`); the validator's begins with a capital letter. */
function ownMessage(issue: z.core.$ZodIssue): string | null {
  if (/^[a-z]/.test(issue.message)) return issue.message;
  return issue.code === 'invalid_format' && issue.format === 'url' ? 'is not a valid URL' : null;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function received(found: unknown): string {
  if (found === null) return 'null';
  if (Array.isArray(found)) return 'a list';
  if (typeof found === 'bigint') return 'an integer beyond 2^53';
  if (typeof found !== 'number') return RECEIVED[typeof found] ?? typeof found;
  if (!Number.isFinite(found)) return String(found);
  return Number.isInteger(found) ? 'a number' : 'a fraction';
}

const RECEIVED: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false', object: 'an object' };

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

/** `within`: words that include the limit; `beyond`: that do not. */
function bound(
  { origin, inclusive }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  within: string,
  beyond: string,
  limit: number | bigint,
): string {
  const words = `${inclusive === false ? beyond : within} ${String(limit)}`;
  const unit = UNITS[origin];
  if (unit === undefined) return `be ${words}`;
  return words === 'at least 1' ? 'not be empty' : `have ${words} ${unit}`;
}
