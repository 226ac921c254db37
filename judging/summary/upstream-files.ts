import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { perTaskCsv } from '../../benchmark/aggregate/per-task-csv.ts';
import {
  upstreamEvalSummary,
  upstreamRescoreSummary,
  type RollUpRubric,
} from '../../benchmark/aggregate/upstream-rescore.ts';
import { stringifyJson } from '../../benchmark/text/json.ts';
import { isReadable, type StoredRun } from '../bundle/read-stored-run.ts';
import { rescoredRun } from './read-runs.ts';

export interface UpstreamFacts {
  /** The directory's path, as upstream writes it. */
  readonly batchDir: string;
  /** Name of the batch directory's parent. */
  readonly model: string;
  readonly runs: readonly StoredRun[];
  readonly rubrics: readonly Rubric[];
  readonly judgeModel: string;
}

/** Texts of the three files that upstream's rescoring writes for one batch directory. */
export interface UpstreamFiles {
  readonly rescoreSummary: string;
  readonly perTask: string;
  readonly summary: string;
}

export function upstreamFiles(facts: UpstreamFacts): UpstreamFiles {
  const input = {
    batchDir: facts.batchDir,
    runs: facts.runs.filter(isReadable).map(rescoredRun),
    rubrics: rollUpRubrics(facts.rubrics),
    judgeModel: facts.judgeModel,
  };
  return {
    rescoreSummary: `${stringifyJson(upstreamRescoreSummary(input), 2)}\n`,
    perTask: perTaskCsv(input),
    summary: `${stringifyJson(upstreamEvalSummary(input, facts.model), 2)}\n`,
  };
}

/** Upstream names its rubrics in lower case and runs lenient first. */
function rollUpRubrics(rubrics: readonly Rubric[]): readonly RollUpRubric[] {
  return (['lenient', 'strict', 'agentic'] as const).filter((name) =>
    rubrics.some((rubric) => rubric.toLowerCase() === name),
  );
}
