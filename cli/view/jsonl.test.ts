import { expect, it } from 'vitest';
import { parseJsonl } from './jsonl.ts';

it('counts lines that are not objects, and ignores blank lines', () => {
  expect(parseJsonl('{"a":1}\n\n[1]\nnope\n{"a":2}', false, 10)).toEqual({
    rows: [{ a: 1 }, { a: 2 }],
    bad: 2,
    cut: false,
  });
});

it('drops an incomplete line, and reports further rows', () => {
  expect(parseJsonl('{"a":1}\n{"a":', true, 10)).toEqual({ rows: [{ a: 1 }], bad: 0, cut: true });
  expect(parseJsonl('{"a":1}\n{"a":2}\n', false, 1)).toEqual({ rows: [{ a: 1 }], bad: 0, cut: true });
});
