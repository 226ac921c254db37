import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** More than this many texts say nothing new. */
const MAX_EXAMPLES = 64;
/** A repeat of thousands is shown by its beginning. */
const MAX_REPEAT = 64;

/**
 * Texts that a pattern is made to match, read off its structure: each alternative once, what is optional both ways. The
 * texts are candidates; whether one matches is for the engine to say, which knows anchors and flags.
 * @returns an empty list when the pattern's syntax is one that JavaScript does not know.
 */
export function patternExamples(pattern: string): readonly string[] {
  const source = javaScriptSyntax(pattern);
  for (const unicode of [true, false]) {
    try {
      const parsed = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, unicode);
      return ofAlternatives(parsed.alternatives);
    } catch {
      // In Unicode mode needless escapes such as `\-` are errors; without it they are read.
    }
  }
  return [];
}

/** What RE2 spells otherwise: flags in front, Python's named groups, the anchors of the whole text. */
function javaScriptSyntax(pattern: string): string {
  return pattern
    .replace(/^\(\?[a-zA-Z]+\)/, '')
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?[imsU]+:/g, '(?:')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$');
}

function ofAlternatives(alternatives: readonly AST.Alternative[]): string[] {
  return distinct(alternatives.flatMap((alternative) => ofElements(alternative.elements)));
}

function ofElements(elements: readonly AST.Element[]): string[] {
  return elements.reduce<string[]>((before, element) => combine(before, ofElement(element)), ['']);
}

/** Every pairing up to the limit; past it the first of each, so that what stands behind still shows. */
function combine(before: readonly string[], behind: readonly string[]): string[] {
  if (before.length * behind.length <= MAX_EXAMPLES) return before.flatMap((a) => behind.map((b) => a + b));
  return before.map((a, at) => a + (behind[at % behind.length] ?? ''));
}

function ofElement(element: AST.Element): string[] {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)];
    case 'CharacterSet':
      return [ofSet(element)];
    case 'CharacterClass':
      return [ofClass(element)];
    case 'Group':
    case 'CapturingGroup':
      return ofAlternatives(element.alternatives);
    case 'Quantifier':
      return ofQuantifier(element);
    default:
      return [''];
  }
}

function ofQuantifier({ min, max, element }: AST.Quantifier): string[] {
  const once = ofElement(element);
  const least = Math.min(min, MAX_REPEAT);
  const some = once.map((text) => text.repeat(Math.max(least, 1)));
  return distinct(least === 0 && max > 0 ? [...some, ''] : max === 0 ? [''] : some);
}

function ofSet(set: AST.CharacterSet): string {
  const named = set.kind === 'any' ? 'x' : { digit: '7', space: ' ', word: 'x', property: '\u043e' }[set.kind];
  if (!('negate' in set) || !set.negate) return named;
  return set.kind === 'word' ? '-' : 'x';
}

/** Characters of URLs, the most ordinary first. */
const ORDINARY = 'xa17X-_./~=&?:';

function ofClass(found: AST.CharacterClass): string {
  const test = classTest(found);
  const ordinary = [...ORDINARY].find(test);
  if (ordinary !== undefined || found.negate) return ordinary ?? '\u043e';
  const [first] = found.elements;
  if (first?.type === 'Character') return String.fromCodePoint(first.value);
  return first?.type === 'CharacterClassRange' ? String.fromCodePoint(first.min.value) : 'x';
}

function classTest(found: AST.CharacterClass): (char: string) => boolean {
  try {
    const expression = new RegExp(`^${found.raw}$`, found.unicodeSets ? 'v' : '');
    return (char) => expression.test(char);
  } catch {
    return () => false;
  }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_EXAMPLES);
}
