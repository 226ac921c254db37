import { expect, it } from 'vitest';
import { PUBLISHED, reproduceSlug } from './published-rows.ts';
import { compareRows } from './compare-rows.ts';

const published = { intercepted: 54.6, lenient: 44.6, strict: 24.6 };

it.each([
  ['the same numbers', published, 2, []],
  ['a difference of exactly the tolerance', { ...published, intercepted: 56.6 }, 2, []],
  ['one rate too far', { ...published, strict: 27 }, 2, ['strict']],
  ['a rubric that was not asked', { ...published, strict: null }, 0, []],
] as const)('%s', (_sentence, observed, tolerance, far) => {
  const rows = compareRows(observed, published, tolerance);
  expect(rows.filter((row) => !row.within).map((row) => row.metric)).toEqual(far);
  expect(rows).toHaveLength(observed.strict === null ? 2 : 3);
});

it('names the directory of a published model', () => {
  expect(reproduceSlug('z-ai/glm-4.5-air:free')).toBe('z-ai_glm-4.5-air-free');
});

it('published rates are percentages of about 130 runs, and no rubric passes more than were intercepted', () => {
  expect(Object.keys(PUBLISHED)).toHaveLength(10);
  for (const { intercepted, lenient, strict, runs } of Object.values(PUBLISHED)) {
    expect([129, 130]).toContain(runs);
    expect(intercepted).toBeLessThanOrEqual(100);
    expect(lenient ?? 0).toBeLessThanOrEqual(intercepted ?? 0);
    expect(strict ?? 0).toBeLessThanOrEqual(lenient ?? 0);
    for (const rate of [intercepted, lenient, strict]) {
      const count = ((rate ?? 0) / 100) * runs;
      // One decimal of a percent is 0.13 runs.
      expect(Math.abs(count - Math.round(count))).toBeLessThan(0.15);
    }
  }
});
