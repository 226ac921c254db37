import { expect, it } from 'vitest';
import { z } from 'zod';
import { issueSentence } from './issue-sentence.ts';

const BIG = 2n ** 60n;

const schema = z.strictObject({
  int: z.number().int().optional(),
  minutes: z.number().positive().max(10).optional(),
  map: z.record(z.string(), z.unknown()).optional(),
  word: z.enum(['x', 'y']).optional(),
  only: z.literal('x').optional(),
  text: z.string().min(1).max(3).optional(),
  url: z.url().optional(),
  list: z.array(z.string()).min(2).optional(),
  own: z.string().regex(/a/, { error: 'holds a space' }).optional(),
  pattern: z.string().regex(/a/).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  flag: z.boolean().optional(),
  in: z.strictObject({ must: z.enum(['a']), two: z.union([z.string(), z.number()]) }).optional(),
});

function sentences(value: unknown): string[] {
  return (schema.safeParse(value).error?.issues ?? []).map((issue) => issueSentence(issue, value, 'the file'));
}

it.each<[unknown, string]>([
  [null, 'the file must be an object, not null'],
  [[], 'the file must be an object, not a list'],
  [undefined, 'the file is missing'],
  [{ int: 1.5 }, 'int must be a whole number, not a fraction'],
  [{ minutes: BIG }, 'minutes must be a number, not an integer beyond 2^53'],
  [{ minutes: NaN }, 'minutes must be a number, not NaN'],
  [{ minutes: 'SECRET' }, 'minutes must be a number, not text'],
  [{ minutes: 0 }, 'minutes must be more than 0'],
  [{ minutes: 11 }, 'minutes must be at most 10'],
  [{ map: [] }, 'map must be an object, not a list'],
  [{ word: 'SECRET' }, 'word must be one of x, y'],
  [{ only: 'SECRET' }, 'only must be x'],
  [{ text: '' }, 'text must not be empty'],
  [{ text: 'SECRET' }, 'text must have at most 3 characters'],
  [{ text: true }, 'text must be text, not true or false'],
  [{ url: 'SECRET' }, 'url is not a valid URL'],
  [{ list: ['a'] }, 'list must have at least 2 items'],
  [{ list: ['a', 1] }, 'list.1 must be text, not a number'],
  [{ own: 'SECRET' }, 'own holds a space'],
  [{ pattern: 'SECRET' }, 'pattern is not valid'],
  [{ either: null }, 'either is not valid'],
  [{ flag: {} }, 'flag must be true or false, not an object'],
  [{ a: 1 }, 'a is not a known field'],
  [{ a: 1, b: 2 }, 'a, b are not known fields'],
  [{ in: { must: 'a', two: 1, c: 1 } }, 'in.c is not a known field'],
])('%#', (value, sentence) => {
  expect(sentences(value)).toEqual([sentence]);
});

it('reports a missing field as missing, whatever its type', () => {
  expect(sentences({ in: {} })).toEqual(['in.must is missing', 'in.two is missing']);
});
