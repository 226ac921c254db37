import { isObject } from '../text/json.ts';
import type { PromptRubric } from './rubrics.ts';
import { verdictMatch } from './verdict-file.ts';

/**
 * Whose verdicts stand. `AnyJudge`: a plain rescore completes what is missing, as upstream's does. `Nothing`: forced.
 * A judge Job keeps only its own judge's, for a batch's numbers must come from one.
 */
export type KeepVerdicts = 'AnyJudge' | 'Nothing' | { readonly judgeModel: string };

/** What judging does with one run directory. */
export interface RescorePlan {
  /** Rubrics to ask. */
  readonly ask: readonly PromptRubric[];
  /** Verdicts that stand. */
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
 * Only intercepted runs with a readable interception are judged. A verdict stands when it is one: a file without true
 * or false, which upstream takes for a final answer, is the trace of an outage, and an outage must not stick.
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

/** Whether a verdict that lies there is kept. */
export function isKept(file: Readonly<Record<string, unknown>>, keep: KeepVerdicts): boolean {
  if (keep === 'Nothing' || verdictMatch(file) === null) return false;
  return keep === 'AnyJudge' || file['judge_model'] === keep.judgeModel;
}
