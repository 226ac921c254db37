import { describe, expect, it } from 'vitest';
import { compilePattern, PatternError } from './url-pattern.ts';

describe('compilePattern', () => {
  it('searches anywhere, case-sensitively', () => {
    const pattern = compilePattern('shop\\.test/api/[^/]+/create$');
    expect(pattern.search('https://www.shop.test/api/x/create')).toBe(true);
    expect(pattern.search('https://www.shop.test/api/x/create?y=1')).toBe(false);
    expect(pattern.search('https://SHOP.test/api/x/create')).toBe(false);
  });
  it.each([
    ['(?=a)', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(a)\\1', 'back-reference'],
    ['(?P<x>a)(?P=x)', 'back-reference'],
    ['(?>a)', 'atomic group'],
    ['a*+', 'possessive quantifier'],
    ['a\\Z', 'the anchor \\Z'],
    ['a{2000}', 'repeat counts that multiply to more than 1000'],
    ['((a{100}){100}){100}', 'repeat counts that multiply to more than 1000'],
    ['a'.repeat(20_000), 'length'],
    ['(', 'syntax'],
    ['[z-a]', 'syntax'],
  ])('%s is refused as %s', (source, construct) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
    try {
      compilePattern(source);
    } catch (error) {
      expect(error).toMatchObject({ construct, pattern: source });
    }
  });
  it('answers in linear time where backtracking would not end', () => {
    const pattern = compilePattern('(a+)+$');
    const started = performance.now();
    expect(pattern.search(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
