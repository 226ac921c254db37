import type { ScoredRun } from './score.ts';

/** Two systems on the tasks they share. */
export interface PairedComparison {
  /** Tasks (and repetitions of tasks) that both ran to a result. */
  readonly pairs: number;
  readonly both: number;
  readonly onlyA: number;
  readonly onlyB: number;
  readonly neither: number;
  /** Share of A minus share of B, over the pairs; null without pairs. */
  readonly difference: number | null;
  /** McNemar's exact two-sided p: how likely such a lopsided split of the discordant pairs is if both are equally good. */
  readonly pValue: number | null;
  /** Runs that have no partner. */
  readonly unpairedA: number;
  readonly unpairedB: number;
  /** Pairs left out because one of them is no result of the agent (infrastructure, credit). */
  readonly notEligible: number;
  /** Pairs left out because one of them has no verdict: unknown is no loss. */
  readonly unjudged: number;
}

/**
 * Compares two sets of runs pair by pair. Paired, because tasks differ far more in difficulty than systems do: over the
 * same 20 tasks a difference shows that two independent rates with their wide intervals would hide.
 * @param successOf what is compared: intercepted, or a rubric's match; null: not known, as the judge has not answered.
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

/** By task and repetition; where a bundle says no repetition, runs of one task are numbered as they come. */
function byPlace(runs: readonly ScoredRun[]): Map<string, ScoredRun> {
  const places = new Map<string, ScoredRun>();
  for (const run of runs) {
    let repetition = run.repetition;
    while (places.has(JSON.stringify([run.task, repetition]))) repetition += 1;
    places.set(JSON.stringify([run.task, repetition]), run);
  }
  return places;
}

/** Twice the smaller tail of the binomial distribution with one half, at most 1. Exact: the counts at hand are small. */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB;
  // In logarithms: 2^-n is 0 to a double from n = 1075 on.
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(onlyA, onlyB); k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}
