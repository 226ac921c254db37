import type { ParsedVerdict } from './parse-verdict.ts';
import type { PromptRubric } from './rubrics.ts';

/** Contents of `judge.json`, `judge_llm.json` and `judge_answer.json` in upstream's shapes. */

export interface VerdictFacts {
  readonly rubric: PromptRubric;
  readonly verdict: ParsedVerdict;
  readonly judgeModel: string;
  /** The unchanged reply; null when there was none. */
  readonly raw: string | null;
  readonly error: string | null;
}

/** A verdict in upstream's form: strict always has `error`; lenient has `rubric`, and `error` only when one occurred. */
export function verdictFile(facts: VerdictFacts): Record<string, unknown> {
  const common = { match: facts.verdict.match, reason: facts.verdict.reason, judge_model: facts.judgeModel };
  if (facts.rubric !== 'lenient') return { ...common, raw: facts.raw, error: facts.error };
  const error = facts.error === null ? {} : { error: facts.error };
  return { ...common, raw: (facts.raw ?? '').slice(0, 500), ...error, rubric: 'lenient' };
}

/** A new verdict with the fields that rescoring adds. `meta` is the run's run-meta. */
export function rescoredVerdict(
  verdict: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>>,
  rubric: PromptRubric | 'agentic',
): Record<string, unknown> {
  return {
    ...verdict,
    task_id: meta['task_id'] ?? null,
    test_case: meta['test_case'] ?? null,
    original_intercepted: Boolean(meta['intercepted']),
    rubric,
  };
}

/** Verdict file in a run's directory, by rubric as named in the API. */
export const VERDICT_FILES = {
  Strict: 'judge.json',
  Lenient: 'judge_llm.json',
  Answer: 'judge_answer.json',
  Agentic: 'judge_agentic.json',
} as const;

/** The error after three replies without a verdict; such a run counts as unjudged. */
export const UNPARSEABLE = 'unparseable_reply';

/** A stored verdict's match; null when it is not a boolean. */
export function verdictMatch(file: Readonly<Record<string, unknown>> | null): boolean | null {
  const match = file?.['match'];
  return typeof match === 'boolean' ? match : null;
}
