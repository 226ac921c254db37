import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { InvalidArgumentError } from 'commander';

const WORDS: Readonly<Record<string, readonly Rubric[]>> = {
  lenient: ['Lenient'],
  strict: ['Strict'],
  both: ['Lenient', 'Strict'],
  answer: ['Answer'],
  agentic: ['Agentic'],
};
/** Upstream runs lenient before strict. */
const ORDER: readonly Rubric[] = ['Lenient', 'Strict', 'Answer', 'Agentic'];

/** Parses a list of rubrics as users and upstream write it: `both`, `strict,answer`. @throws InvalidArgumentError */
export function readRubrics(text: string): readonly Rubric[] {
  const named = text.split(',').flatMap((word) => {
    const found = WORDS[word.trim().toLowerCase()];
    if (found === undefined)
      throw new InvalidArgumentError(`Unknown rubric ${word}; use ${Object.keys(WORDS).join(', ')}.`);
    return found;
  });
  return ORDER.filter((name) => named.includes(name));
}
