import { isObject } from '../text/json.ts';
import type { PromptRubric } from './rubrics.ts';
import { verdictMatch } from './verdict-file.ts';

/**
 * Which existing verdicts are kept. `AnyJudge`: a rescore adds what is missing, as upstream's does. `Nothing`: `--force`. A judge
 * Job keeps only verdicts of its own judge model, because all figures of a batch must come from one judge.
 */
export type KeepVerdicts = 'AnyJudge' | 'Nothing' | { readonly judgeModel: string };

/** Which rubrics to ask about one run, and which verdicts to keep. */
export interface RescorePlan {
  /** Rubrics to ask. */
  readonly ask: readonly PromptRubric[];
  /** Existing verdicts that are kept. */
  readonly reuse: Readonly<Partial<Record<PromptRubric, Readonly<Record<string, unknown>>>>>;
}

export interface RescoreFacts {
  /** Parsed run-meta, interception file and verdict files; null when absent or unreadable. */
  readonly meta: unknown;
  readonly interception: unknown;
  readonly verdicts: Readonly<Partial<Record<PromptRubric, unknown>>>;
  readonly rubrics: readonly PromptRubric[];
  readonly keep: KeepVerdicts;
}

/**
 * Only intercepted runs with a readable interception are judged. A file without true or false, which upstream treats as
 * final, is the trace of an outage: it is not kept, so an outage does not become permanent.
 */
export function rescorePlan(facts: RescoreFacts): RescorePlan {
  const intercepted = isObject(facts.meta) && Boolean(facts.meta['intercepted']) && isObject(facts.interception);
  if (!intercepted) return { ask: [], reuse: {} };
  const reuse: Partial<Record<PromptRubric, Record<string, unknown>>> = {};
  for (const rubric of facts.rubrics) {
    const file = facts.verdicts[rubric];
    if (isObject(file) && isKept(file, facts.keep)) reuse[rubric] = file;
  }
  return { ask: facts.rubrics.filter((rubric) => reuse[rubric] === undefined), reuse };
}

/** Whether an existing verdict file is kept. */
export function isKept(file: Readonly<Record<string, unknown>>, keep: KeepVerdicts): boolean {
  if (keep === 'Nothing' || verdictMatch(file) === null) return false;
  return keep === 'AnyJudge' || file['judge_model'] === keep.judgeModel;
}
