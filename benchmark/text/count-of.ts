/** `is` or `are`, whichever the count wants. */
export function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** A count with its noun: `1 run`, `2 runs`. Only for nouns that take an s. */
export function countOf(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
