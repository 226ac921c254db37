import { createRedactor, type Redactor } from '../../benchmark/bundle/redact.ts';
import { longestSpelling } from '../../benchmark/bundle/secret-pattern.ts';

/** The values that must never leave the recorder, and the redactor for those known so far. */
export interface Secrets {
  readonly add: (value: string) => void;
  /** Replaces every known value in any of its spellings. */
  readonly redact: Redactor;
  /** Length in UTF-8 bytes of the longest spelling: how far a value may reach across a cut. */
  readonly longest: number;
}

export function openSecrets(initial: Iterable<string>): Secrets {
  const values = new Set<string>();
  let redactor: Redactor = (text) => text;
  let longest = 0;
  const add = (value: string): void => {
    if (values.has(value)) return;
    values.add(value);
    redactor = createRedactor(values);
    longest = Math.max(longest, longestSpelling(value));
  };
  for (const value of initial) add(value);
  return {
    add,
    redact: (text) => redactor(text),
    get longest() {
      return longest;
    },
  };
}
