import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Maximum number of examples; more show nothing new. */
const MAX_EXAMPLES = 64;
/** Maximum number of repetitions in an example: the most that a pattern may require. */
const MAX_REPEAT = 1000;

/**
 * Example texts for a pattern, from its structure: each alternative once, optional parts with and without. They are candidates:
 * only the engine, which applies anchors and flags, decides whether one matches.
 * @returns an empty list when JavaScript does not support the pattern's syntax.
 */
export function patternExamples(pattern: string): readonly string[] {
  if (RE2_ONLY.test(pattern)) return [];
  const source = javaScriptSyntax(pattern);
  for (const unicode of [true, false]) {
    try {
      const parsed = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, unicode);
      return ofAlternatives(parsed.alternatives);
    } catch {
      // In Unicode mode unnecessary escapes such as `\-` are errors; otherwise they are accepted.
    }
  }
  return [];
}

/** Syntax of RE2 that JavaScript reads as something else: POSIX classes, `\pN`, `\Q…\E`, `\x{…}`. */
const RE2_ONLY = /\[:\^?\w+:\]|\\[pP][A-Z]|\\Q|\\x\{/;

/** Syntax that differs in RE2: leading flags, Python's named groups, the anchors of the whole text. */
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

/** All combinations up to the limit; beyond it the first of each, so that later parts of the pattern still occur. */
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
  const named = set.kind === 'any' ? 'x' : { digit: '1', space: ' ', word: 'x', property: '\u043e' }[set.kind];
  if (!('negate' in set) || !set.negate) return named;
  return set.kind === 'word' ? '-' : 'x';
}

/** Characters of URLs, the most common first. */
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
