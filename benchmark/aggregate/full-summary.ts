import type { Rubric } from '../judge/rubrics.ts';
import { scoreTable, type RunDimensions, type ScoreTableRow } from './rescore-summary.ts';
import { scoreRuns, type Score, type ScoredRun } from './score.ts';

/** The dimensions that the tables group runs by. */
export interface FullRunDimensions extends RunDimensions {
  readonly metaclass: string;
  /** Host of the site; empty when unknown. */
  readonly site: string;
}

export interface FullSummaryInput {
  readonly runs: readonly (ScoredRun & FullRunDimensions)[];
  readonly planned: readonly FullRunDimensions[];
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
}

type Marked<T> = T & {
  /** Fewer runs are closed than planned, so this is not a final result. */ readonly partial: boolean;
};

/** All tables, without the row limit of a status: by model, harness, group, metaclass and site, each best first. */
export interface FullSummary {
  readonly overall: Marked<Score>;
  readonly byModel: readonly Marked<ScoreTableRow>[];
  readonly byHarness: readonly Marked<ScoreTableRow>[];
  readonly byCategory: readonly Marked<ScoreTableRow>[];
  readonly byMetaclass: readonly Marked<ScoreTableRow>[];
  readonly bySite: readonly Marked<ScoreTableRow>[];
}

/** Scores a set of runs by every dimension. */
export function fullSummary(input: FullSummaryInput): FullSummary {
  const by = (keyOf: (run: FullRunDimensions) => string): Marked<ScoreTableRow>[] =>
    scoreTable<FullRunDimensions>(input, keyOf).map(marked);
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
