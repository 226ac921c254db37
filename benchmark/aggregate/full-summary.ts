import type { Rubric } from '../judge/rubrics.ts';
import { table, type PlannedRun, type ScoreRow } from './rescore-summary.ts';
import { scoreRuns, type Score, type ScoredRun } from './score.ts';

/** What a run is counted by. */
export interface Dimensions extends PlannedRun {
  readonly metaclass: string;
  /** Host of the site; empty when unknown. */
  readonly site: string;
}

export interface FullInput {
  readonly runs: readonly (ScoredRun & Dimensions)[];
  readonly planned: readonly Dimensions[];
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
}

type Marked<T> = T & { /** Fewer runs are closed than were planned: not a result yet. */ readonly partial: boolean };

/** All tables, without the limits of a status: by model, harness, group, metaclass and site, each best first. */
export interface FullSummary {
  readonly overall: Marked<Score>;
  readonly byModel: readonly Marked<ScoreRow>[];
  readonly byHarness: readonly Marked<ScoreRow>[];
  readonly byCategory: readonly Marked<ScoreRow>[];
  readonly byMetaclass: readonly Marked<ScoreRow>[];
  readonly bySite: readonly Marked<ScoreRow>[];
}

/** Scores a set of runs in every way that is shown. */
export function fullSummary(input: FullInput): FullSummary {
  const by = (keyOf: (run: Dimensions) => string): Marked<ScoreRow>[] => table<Dimensions>(input, keyOf).map(marked);
  return {
    overall: marked(scoreRuns(input.runs, input.planned.length, input.rubrics)),
    byModel: by((run) => run.model),
    byHarness: by((run) => run.harness),
    byCategory: by((run) => run.group),
    byMetaclass: by((run) => run.metaclass || UNKNOWN),
    bySite: by((run) => run.site || UNKNOWN),
  };
}

const UNKNOWN = '(unknown)';

function marked<T extends Score>(score: T): Marked<T> {
  return { ...score, partial: score.nTotal < score.nPlanned };
}
