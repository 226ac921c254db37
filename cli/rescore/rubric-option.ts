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

/** Rubrics of a list as people and upstream write them: `both`, `strict,answer`. @throws InvalidArgumentError */
export function readRubrics(text: string): readonly Rubric[] {
  const named = text.split(',').flatMap((word) => {
    const found = WORDS[word.trim().toLowerCase()];
    if (found === undefined) throw new InvalidArgumentError(`${word} is none of ${Object.keys(WORDS).join(', ')}.`);
    return found;
  });
  return ORDER.filter((name) => named.includes(name));
}
