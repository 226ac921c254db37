import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonFixed } from '../text/python-text.ts';
import { ratio, wilson } from './interval.ts';
import { leaderboardCsv, leaderboardFields } from './leaderboard-row.ts';
import { meanPassAtK, passAtK } from './pass-at-k.ts';
import { csv, perTaskCsv } from './per-task-csv.ts';
import { MAX_TABLE_ROWS, OTHER_ROW, rescoreSummary, type SummaryInput } from './rescore-summary.ts';
import type { ScoredRun } from './score.ts';
import { upstreamEvalSummary, upstreamRescoreSummary, type RescoredRun } from './upstream-rescore.ts';

const aRun = (more: Partial<ScoredRun> = {}): ScoredRun => ({
  task: 't',
  model: 'm',
  harness: 'h',
  group: 'Daily',
  repetition: 1,
  intercepted: false,
  eligible: true,
  nonResult: false,
  passed: false,
  verdicts: {},
  ...more,
});
const summary = (runs: readonly ScoredRun[], more: Partial<SummaryInput> = {}): ReturnType<typeof rescoreSummary> =>
  rescoreSummary({ runs, planned: runs, rubrics: ['Strict', 'Lenient'], passRubric: 'Strict', ...more });

describe('wilson', () => {
  it.each([
    [0, 20, 0, 0.1611],
    [2, 20, 0.0279, 0.301],
    [20, 20, 0.8389, 1],
    [45, 130, 0.2699, 0.4313],
  ])('%i of %i', (part, total, low, high) => {
    const interval = wilson(part, total);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });
  it('contains the proportion and stays within 0…1; it is null when nothing was counted', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 1, max: 500 }), (part, total) => {
        fc.pre(part <= total);
        const { low, high } = wilson(part, total)!;
        return low >= 0 && low <= part / total && part / total <= high && high <= 1;
      }),
    );
    expect([wilson(0, 0), ratio(1, 0), ratio(1, 3)]).toEqual([null, null, 0.3333]);
  });
});

describe('passAtK', () => {
  it('is the share of draws of k runs that contain a pass', () => {
    expect(passAtK(3, 1, 1)).toBeCloseTo(1 / 3);
    expect(passAtK(3, 1, 2)).toBeCloseTo(2 / 3);
    expect(passAtK(3, 1, 3)).toBe(1);
    expect(passAtK(5, 0, 5)).toBe(0);
  });
  it('agrees with counting all draws', () => {
    const choose = (n: number, k: number): number => (k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(12), fc.integer({ min: 1, max: 12 }), (n, c, k) => {
        fc.pre(c <= n && k <= n);
        return Math.abs(passAtK(n, c, k) - (1 - choose(n - c, k) / choose(n, k))) < 1e-9;
      }),
    );
  });
  it('is averaged over the tasks that have enough runs', () => {
    expect(
      meanPassAtK([
        { runs: 3, passed: 1 },
        { runs: 1, passed: 1 },
      ]),
    ).toEqual({ '1': 0.6667, '2': 0.6667, '3': 1 });
    expect(meanPassAtK([])).toEqual({});
  });
});

describe('rescoreSummary', () => {
  it('shows both denominators; infrastructure counts in one of them, unjudged runs separately', () => {
    const { overall } = summary([
      aRun({ task: 'a', intercepted: true, passed: true, verdicts: { Strict: { match: true } } }),
      aRun({ task: 'b', intercepted: true, verdicts: { Strict: { match: null }, Lenient: { match: true } } }),
      aRun({ task: 'c' }),
      aRun({ task: 'd', eligible: false, verdicts: { Strict: { match: true } } }),
    ]);
    expect(overall).toMatchObject({
      nTotal: 4,
      nEligible: 3,
      nIntercepted: 2,
      interceptedRate: 0.5,
      interceptedRateEligible: 0.6667,
      partial: false,
    });
    expect(overall.rubrics.Strict).toMatchObject({
      match: 1,
      mismatch: 0,
      unjudged: 1,
      rate: 0.25,
      rateEligible: 0.3333,
    });
    expect(overall.rubrics.Lenient).toMatchObject({ match: 1, unjudged: 1 });
    expect(overall.passAtK).toEqual({ '1': 0.25 });
  });
  it('is partial while planned runs are open', () => {
    const planned = [aRun({ model: 'm' }), aRun({ model: 'n' })];
    const result = summary([planned[0]!], { planned });
    expect(result.overall).toMatchObject({ nPlanned: 2, nTotal: 1, partial: true });
    expect(result.byModel.map((row) => [row.name, row.nPlanned, row.nTotal])).toEqual([
      ['m', 1, 1],
      ['n', 1, 0],
    ]);
  });
  it('ranks by intercepted, then the pass rubric, then name; categories keep their order', () => {
    const hit = { intercepted: true, verdicts: { Strict: { match: true } } };
    const result = summary([
      aRun({ model: 'c', group: 'Pets', ...hit }),
      aRun({ model: 'b', group: 'Other', intercepted: true }),
      aRun({ model: 'a', group: 'Daily', intercepted: true }),
      aRun({ model: 'd', group: 'Work' }),
    ]);
    expect(result.byModel.map((row) => row.name)).toEqual(['c', 'a', 'b', 'd']);
    expect(result.byCategory.map((row) => row.name)).toEqual(['Daily', 'Work', 'Pets', 'Other']);
  });
  it('limits tables to 20 rows and keeps the sum', () => {
    const runs = Array.from({ length: 53 }, (_, index) =>
      aRun({ model: `m${String(index)}`, intercepted: index % 2 === 0 }),
    );
    const { byModel } = summary(runs);
    expect(byModel).toHaveLength(MAX_TABLE_ROWS + 1);
    expect(byModel.at(-1)?.name).toBe(OTHER_ROW);
    expect(byModel.reduce((sum, row) => sum + row.nTotal, 0)).toBe(53);
  });
  it('counts agentic verdicts with or without an interception, and never more eligible ones than there are', () => {
    const verdicts = { Strict: { match: true }, Agentic: { match: true } };
    const runs = [
      aRun({ task: 'a', verdicts }),
      aRun({ task: 'b', verdicts, eligible: false }),
      aRun({ task: 'c', intercepted: true }),
      aRun({ task: 'd', verdicts, eligible: false, nonResult: true }),
    ];
    const { rubrics } = summary(runs, { rubrics: ['Strict', 'Agentic'], passRubric: 'Agentic' }).overall;
    expect(rubrics.Agentic).toMatchObject({ match: 2, mismatch: 0, unjudged: 1, rate: 0.5, rateEligible: 0.5 });
    expect(rubrics.Strict).toMatchObject({ match: 0, unjudged: 1, rate: 0 });
  });
  it('every table sums up to the whole, whatever the runs', () => {
    const run = fc.record({
      task: fc.constantFrom('a', 'b'),
      model: fc.constantFrom('x', 'y', '__proto__'),
      harness: fc.constantFrom('h', 'i'),
      group: fc.constantFrom('Daily', 'Other'),
      repetition: fc.nat(3),
      intercepted: fc.boolean(),
      eligible: fc.boolean(),
      nonResult: fc.constant(false),
      passed: fc.boolean(),
      verdicts: fc.record({ Strict: fc.record({ match: fc.constantFrom(true, false, null) }) }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(fc.array(run), (runs) => {
        const result = summary(runs);
        for (const rows of [result.byModel, result.byHarness, result.byCategory]) {
          expect(rows.reduce((sum, row) => sum + row.nIntercepted, 0)).toBe(result.overall.nIntercepted);
          expect(rows.reduce((sum, row) => sum + (row.rubrics.Strict?.match ?? 0), 0)).toBe(
            result.overall.rubrics.Strict?.match,
          );
        }
        const strict = result.overall.rubrics.Strict!;
        expect(strict.match + strict.mismatch + strict.unjudged).toBe(result.overall.nIntercepted);
      }),
    );
  });
});

describe("upstream's files", () => {
  const input = {
    batchDir: '/b',
    judgeModel: 'jm',
    rubrics: ['lenient', 'strict'] as const,
    runs: [
      {
        meta: { task_id: 1, test_case: 'a', intercepted: true },
        verdicts: { lenient: { match: true, reason: 'x, "y"\nz' }, strict: { match: 'true', reason: 'r' } },
        nonResult: false,
      },
      { meta: { task_id: 2, test_case: 'b', intercepted: false }, verdicts: {}, nonResult: false },
      {
        meta: { test_case: 'c', intercepted: true },
        verdicts: { lenient: null, strict: { match: false, reason: 'no' } },
        nonResult: false,
      },
    ],
  };
  it('count only true and false, and have the strict rubric under the legacy names', () => {
    const made = upstreamRescoreSummary(input);
    expect(made).toMatchObject({
      n_total: 3,
      n_intercepted: 2,
      n_match_lenient: 1,
      n_judge_err_lenient: 1,
      n_match_strict: 0,
      n_mismatch_strict: 1,
      n_judge_err_strict: 1,
      n_judge_mismatch: 1,
      pass_rate_stage1_only: 2 / 3,
    });
    expect(Object.keys(made)).toEqual(
      'batch_dir n_total n_intercepted tasks n_match_lenient n_mismatch_lenient n_judge_err_lenient n_match_strict n_mismatch_strict n_judge_err_strict pass_rate_stage1_only reward_pct_lenient reward_pct_strict n_judge_match n_judge_mismatch n_judge_error pass_rate_with_judge judge_model rubrics'.split(
        ' ',
      ),
    );
  });
  it('have keys of the agentic rubric when it was asked, over sessions whose outcome is the agent’s', () => {
    const session = (match: boolean | null, nonResult = false): RescoredRun => ({
      meta: { intercepted: false },
      verdicts: { agentic: match === null ? null : { match, reason: 'r' } },
      nonResult,
    });
    const runs = [session(true), session(false), session(null), session(null, true)];
    const asked = { ...input, rubrics: ['strict', 'agentic'] as const, runs };
    expect(upstreamRescoreSummary(asked)).toMatchObject({
      n_match_agentic: 1,
      n_mismatch_agentic: 1,
      n_judge_err_agentic: 1,
      reward_pct_agentic: 0.25,
      n_match_strict: 0,
      n_judge_err_strict: 0,
      rubrics: ['strict', 'agentic'],
    });
    expect(upstreamEvalSummary(asked, 'm')).toMatchObject({ reward_agentic_pct: '25.0%', match_agentic: 1 });
    expect(perTaskCsv(asked).split('\r\n')[1]).toBe(',,False,,,True,r');
  });
  it('write percentages and tables as Python does', () => {
    expect(upstreamEvalSummary(input, 'm')).toMatchObject({
      model: 'm',
      intercepted_pct: '66.7%',
      reward_lenient_pct: '33.3%',
    });
    expect(perTaskCsv(input)).toBe(
      'task_id,test_case,intercepted,match_lenient,reason_lenient,match_strict,reason_strict\r\n' +
        '1,a,True,True,"x, ""y""\nz",true,r\r\n2,b,False,,,,\r\n,c,True,,,False,no\r\n',
    );
    expect([pythonFixed(6.25, 1), pythonFixed(6.35, 1), pythonFixed(18.75, 1), pythonFixed(100, 1)]).toEqual([
      '6.2',
      '6.3',
      '18.8',
      '100.0',
    ]);
    expect(csv(['a'], [{ a: 'x\ry' }])).toBe('a\r\n"x\ry"\r\n');
  });
});

it('a leaderboard row has percentages and hours with two decimals', () => {
  const row = {
    model: 'glm-5.1',
    harness: 'hermes',
    dataset: 'v2',
    passed: 24,
    total: 130,
    wallHours: 11.354,
    partial: false,
  };
  expect(leaderboardCsv([row])).toBe(
    'model,harness,dataset,passed,total,pass_rate,wall_hours\r\nglm-5.1,hermes,v2,24,130,18.46,11.35\r\n',
  );
  expect(leaderboardFields(row)).toMatchObject({ passed: 24, total: 130, pass_rate: 18.46, wall_hours: 11.35 });
});
