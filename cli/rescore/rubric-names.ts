import { InvalidArgumentError } from 'commander';
import type { RubricName } from '../../benchmark/aggregate/score.ts';

const WORDS: Readonly<Record<string, readonly RubricName[]>> = {
  lenient: ['Lenient'],
  strict: ['Strict'],
  both: ['Lenient', 'Strict'],
  answer: ['Answer'],
  agentic: ['Agentic'],
};
/** Upstream runs lenient before strict. */
const ORDER: readonly RubricName[] = ['Lenient', 'Strict', 'Answer', 'Agentic'];

/** Rubrics of a list as people and upstream write them: `both`, `strict,answer`. @throws InvalidArgumentError */
export function readRubrics(text: string): readonly RubricName[] {
  const named = text.split(',').flatMap((word) => {
    const found = WORDS[word.trim().toLowerCase()];
    if (found === undefined) throw new InvalidArgumentError(`${word} is none of ${Object.keys(WORDS).join(', ')}.`);
    return found;
  });
  return ORDER.filter((name) => named.includes(name));
}
