import { expect, it } from 'vitest';
import { fullSummary, type FullRunDimensions } from './full-summary.ts';
import type { ScoredRun } from './score.ts';

const aRun = (model: string, match: boolean, more: Partial<FullRunDimensions> = {}): ScoredRun & FullRunDimensions => ({
  task: 't',
  model,
  harness: 'h',
  group: 'Daily',
  metaclass: 'shopping',
  site: 'shop.test',
  repetition: 1,
  intercepted: match,
  eligible: true,
  nonResult: false,
  passed: match,
  verdicts: { Strict: { match } },
  ...more,
});
const rubrics = ['Strict'] as const;

it('shows every table, best first, with unnamed rows as (unknown)', () => {
  const runs = [aRun('worse', false), aRun('better', true, { metaclass: '', site: '' })];
  const summary = fullSummary({ runs, planned: runs, rubrics, passRubric: 'Strict' });
  expect(summary.overall).toMatchObject({ nTotal: 2, nIntercepted: 1, partial: false });
  expect(summary.byModel).toMatchObject([
    { name: 'better', nTotal: 1, partial: false },
    { name: 'worse', nTotal: 1 },
  ]);
  expect(summary.byHarness).toMatchObject([{ name: 'h', nTotal: 2 }]);
  expect(summary.byCategory).toMatchObject([{ name: 'Daily', nTotal: 2 }]);
  expect(summary.byMetaclass.map(({ name }) => name)).toEqual(['(unknown)', 'shopping']);
  expect(summary.bySite.map(({ name }) => name)).toEqual(['(unknown)', 'shop.test']);
});

it('is partial, in each table, while planned runs are open', () => {
  const [closed, open] = [aRun('m', true), aRun('n', true)];
  const summary = fullSummary({ runs: [closed], planned: [closed, open], rubrics, passRubric: 'Strict' });
  expect(summary.overall).toMatchObject({ nPlanned: 2, nTotal: 1, partial: true });
  expect(summary.byModel.map(({ name, partial }) => [name, partial])).toEqual([
    ['m', false],
    ['n', true],
  ]);
});
