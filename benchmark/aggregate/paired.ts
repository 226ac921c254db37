import type { ScoredRun } from './score.ts';

/** Two systems compared on the tasks that both ran. */
export interface PairedComparison {
  /** Tasks (and repetitions of tasks) for which both have a result. */
  readonly pairs: number;
  readonly both: number;
  readonly onlyA: number;
  readonly onlyB: number;
  readonly neither: number;
  /** Success rate of A minus that of B over the pairs; null without pairs. */
  readonly difference: number | null;
  /** McNemar's exact two-sided p: the probability of such an uneven split of the discordant pairs if both are equally good. */
  readonly pValue: number | null;
  /** Runs without a counterpart. */
  readonly unpairedA: number;
  readonly unpairedB: number;
  /** Pairs excluded because one run is not a result of the agent (infrastructure, credit). */
  readonly notEligible: number;
  /** Pairs excluded because one run has no verdict: an unknown verdict is not a failure. */
  readonly unjudged: number;
}

/**
 * Compares two sets of runs pair by pair. Tasks differ far more in difficulty than systems do, so a paired comparison over 20
 * tasks shows a difference that two independent rates with their wide intervals would hide.
 * @param successOf what is compared: intercepted, or a rubric's match; null: unknown, because there is no verdict.
 */
export function comparePaired(
  a: readonly ScoredRun[],
  b: readonly ScoredRun[],
  successOf: (run: ScoredRun) => boolean | null,
): PairedComparison {
  const [left, right] = [byPlace(a), byPlace(b)];
  const shared = [...left].flatMap(([key, run]) => {
    const partner = right.get(key);
    return partner === undefined ? [] : [[run, partner] as const];
  });
  const eligible = shared.filter((pair) => pair.every((run) => run.eligible));
  const results = eligible.map(([one, two]) => [successOf(one), successOf(two)]).filter((pair) => !pair.includes(null));
  const count = (inA: boolean, inB: boolean): number =>
    results.filter(([one, two]) => one === inA && two === inB).length;
  const [onlyA, onlyB] = [count(true, false), count(false, true)];
  const pairs = results.length;
  return {
    pairs,
    both: count(true, true),
    onlyA,
    onlyB,
    neither: count(false, false),
    difference: pairs === 0 ? null : Math.round(((onlyA - onlyB) / pairs) * 1e4) / 1e4,
    pValue: pairs === 0 ? null : mcnemarExact(onlyA, onlyB),
    unpairedA: left.size - shared.length,
    unpairedB: right.size - shared.length,
    notEligible: shared.length - eligible.length,
    unjudged: eligible.length - pairs,
  };
}

/** Runs by task and repetition; where bundles have no repetition, runs of one task are numbered in their order. */
function byPlace(runs: readonly ScoredRun[]): Map<string, ScoredRun> {
  const places = new Map<string, ScoredRun>();
  for (const run of runs) {
    let repetition = run.repetition;
    while (places.has(JSON.stringify([run.task, repetition]))) repetition += 1;
    places.set(JSON.stringify([run.task, repetition]), run);
  }
  return places;
}

/** Twice the smaller tail of the binomial distribution with p = 1/2, at most 1. The exact test, because counts are small. */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB;
  // Logarithms, because 2^-n is 0 as a double from n = 1075.
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(onlyA, onlyB); k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}
