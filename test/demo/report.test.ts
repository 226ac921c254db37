import { expect, it } from 'vitest';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { deviations } from './report.ts';

const EXPECTED = {
  rubric: 'Strict',
  harnesses: { replay: { runs: 8, intercepted: 8, passed: 6 }, null: { runs: 8, intercepted: 0, passed: 0 } },
} as const;

type Scores = { nTotal: number; nEligible: number; nIntercepted: number; match: number; unjudged: number };

function aStatus(replay: Partial<Scores> = {}, counts: Partial<ClawBenchBatchStatus['counts']> = {}) {
  const row = (name: string, scores: Scores): object => {
    const { match, unjudged, ...more } = scores;
    return { name, ...more, rubrics: { Strict: { match, mismatch: 0, unjudged } } };
  };
  const byHarness = [
    row('replay', { nTotal: 8, nEligible: 8, nIntercepted: 8, match: 6, unjudged: 0, ...replay }),
    row('null', { nTotal: 8, nEligible: 8, nIntercepted: 0, match: 0, unjudged: 0 }),
  ];
  return { rescoreSummary: { byHarness }, counts: { total: 16, infrastructure: 0, cancelled: 0, ...counts } } as never;
}

it('a batch that came out as it must has no deviation', () => {
  expect(deviations(aStatus(), EXPECTED)).toEqual([]);
});

it.each([
  ['runs', { nTotal: 7 }],
  ['eligible', { nEligible: 7 }],
  ['intercepted', { nIntercepted: 7 }],
  ['passed', { match: 5 }],
  ['unjudged', { unjudged: 1 }],
] as const)('every number of a row is compared: %s', (word, scores) => {
  expect(deviations(aStatus(scores), EXPECTED)).toEqual([expect.stringContaining(`replay: ${word} is`)]);
});

it.each(['infrastructure', 'cancelled'] as const)(
  'a run that ended as %s is a deviation, whatever its row says',
  (key) => {
    expect(deviations(aStatus({}, { [key]: 1 }), EXPECTED)).toEqual([`${key} is 1, expected 0`]);
  },
);

it('a status without counts or rows is not as expected', () => {
  expect(deviations({ conditions: [] }, EXPECTED).length).toBeGreaterThan(2);
});
