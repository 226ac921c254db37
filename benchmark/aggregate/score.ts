import type { Rubric } from '../judge/rubrics.ts';
import { ratio, round4, wilson } from './interval.ts';
import { meanPassAtK, type TaskRepetitions } from './pass-at-k.ts';

/** A closed run as input of the tables. */
export interface ScoredRun {
  /** Case name. */
  readonly task: string;
  readonly model: string;
  readonly harness: string;
  /** One of the paper's eight groups. */
  readonly group: string;
  readonly repetition: number;
  readonly intercepted: boolean;
  /** Upstream's `adjusted_eligible`. */
  readonly eligible: boolean;
  /** The outcome is not a result of the agent (`outcome.ts`): no verdict is asked for or counted. Never eligible. */
  readonly nonResult: boolean;
  /** By the batch's pass rubric. */
  readonly passed: boolean;
  /** `match` is null when there was no usable reply; a rubric that is missing has not been asked yet. */
  readonly verdicts: Readonly<Partial<Record<Rubric, { readonly match: boolean | null }>>>;
}

interface RubricScore {
  readonly match: number;
  readonly mismatch: number;
  readonly unjudged: number;
  readonly rate: number | null;
  readonly rateEligible: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The figures of a set of runs. Ratios have four decimals and are null when nothing was counted. */
export interface Score {
  readonly nPlanned: number;
  readonly nTotal: number;
  readonly nEligible: number;
  readonly nIntercepted: number;
  readonly interceptedRate: number | null;
  readonly interceptedRateEligible: number | null;
  readonly interceptedLow: number | null;
  readonly interceptedHigh: number | null;
  readonly rubrics: Readonly<Partial<Record<Rubric, RubricScore>>>;
  readonly passAtK: Readonly<Record<string, number>>;
}

/** Scores a set of closed runs. `nPlanned` is at least their number. */
export function scoreRuns(runs: readonly ScoredRun[], nPlanned: number, rubrics: readonly Rubric[]): Score {
  const nTotal = runs.length;
  const nEligible = runs.filter((run) => run.eligible).length;
  const nIntercepted = runs.filter((run) => run.intercepted).length;
  const interval = bounds(nIntercepted, nTotal);
  return {
    nPlanned: Math.max(nPlanned, nTotal),
    nTotal,
    nEligible,
    nIntercepted,
    interceptedRate: ratio(nIntercepted, nTotal),
    interceptedRateEligible: ratio(nIntercepted, nEligible),
    interceptedLow: interval.low,
    interceptedHigh: interval.high,
    rubrics: Object.fromEntries(rubrics.map((name) => [name, rubricScore(runs, name, nEligible)])),
    passAtK: meanPassAtK(repeats(runs)),
  };
}

function rubricScore(runs: readonly ScoredRun[], name: Rubric, nEligible: number): RubricScore {
  // The agentic rubric judges the session, intercepted or not; the others judge the intercepted request.
  const judgeable = runs.filter((run) => (name === 'Agentic' ? !run.nonResult : run.intercepted));
  const matches = judgeable.filter((run) => run.verdicts[name]?.match === true);
  const match = matches.length;
  const mismatch = judgeable.filter((run) => run.verdicts[name]?.match === false).length;
  // An ineligible run may have a verdict; it must not count in the numerator alone.
  const eligible = matches.filter((run) => run.eligible).length;
  return {
    match,
    mismatch,
    unjudged: judgeable.length - match - mismatch,
    rate: ratio(match, runs.length),
    rateEligible: ratio(eligible, nEligible),
    ...bounds(match, runs.length),
  };
}

function bounds(successes: number, total: number): { low: number | null; high: number | null } {
  const interval = wilson(successes, total);
  return {
    low: interval === null ? null : round4(interval.low),
    high: interval === null ? null : round4(interval.high),
  };
}

function repeats(runs: readonly ScoredRun[]): TaskRepetitions[] {
  const tasks = new Map<string, { runs: number; passed: number }>();
  for (const run of runs) {
    const key = JSON.stringify([run.task, run.model, run.harness]);
    const counted = tasks.get(key) ?? { runs: 0, passed: 0 };
    tasks.set(key, { runs: counted.runs + 1, passed: counted.passed + (run.passed ? 1 : 0) });
  }
  return [...tasks.values()];
}
