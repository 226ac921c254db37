import { expect, it } from 'vitest';
import { normalizeUsage } from './normalize.ts';
import { parsePriceTable, PriceTableError } from './price-table.ts';
import { costOf } from './price.ts';

const million = normalizeUsage({ input: 1_000_000, output: 1_000_000, reasoning: 1_000_000, cacheRead: 1_000_000 });

it('reads USD per million tokens; a missing rate is the input or output rate', () => {
  const prices = parsePriceTable('m/one: {input: 0.6, output: "2.2"}\ntwo: {input: 6e-1, output: 1, cacheRead: 0.1}');
  expect(costOf(million, prices.get('m/one'))).toBe(5.6);
  expect(costOf(million, prices.get('two'))).toBe(2.7);
  expect(costOf(normalizeUsage({ input: 1 }), prices.get('m/one'))).toBe(0.000001);
});

it('reads the unchanged public listing', () => {
  const listing = { data: [{ id: 'p/m', pricing: { prompt: '0.000001', completion: '0.000002' } }, { id: 5 }, null] };
  const prices = parsePriceTable(JSON.stringify(listing));
  expect([...prices.keys()]).toEqual(['p/m']);
  expect(costOf(normalizeUsage({ input: 1_000_000 }), prices.get('p/m'))).toBe(1);
});

it.each([
  ['m: {input: 1}', /"m": output/],
  ['m: {input: -1, output: 1}', /"m": input/],
  ['m: {input: 1, output: 1, price: 3}', /"m": the entry/],
  ['- a', /must be a map/],
  ['{', /not valid YAML/],
])('refuses %s in one sentence', (text, message) => {
  expect(() => parsePriceTable(text)).toThrow(PriceTableError);
  expect(() => parsePriceTable(text)).toThrow(message);
});
