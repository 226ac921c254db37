import { isObject } from '../json.ts';
import type { RequestRubric } from '../request-rubric.ts';

/** What rescoring does with one run directory (upstream.md 8.2). */
export interface RescorePlan {
  /** Rubrics to ask. */
  readonly ask: readonly RequestRubric[];
  /** Verdicts that stand. */
  readonly reuse: Readonly<Partial<Record<RequestRubric, Readonly<Record<string, unknown>>>>>;
}

export interface RescoreFacts {
  /** Parsed run-meta, interception file and verdict files; null when absent or unreadable. */
  readonly meta: unknown;
  readonly interception: unknown;
  readonly verdicts: Readonly<Partial<Record<RequestRubric, unknown>>>;
  readonly rubrics: readonly RequestRubric[];
  readonly force: boolean;
}

/** Only intercepted runs with a readable interception are judged; an existing readable verdict stands unless forced. */
export function rescorePlan(facts: RescoreFacts): RescorePlan {
  const intercepted = isObject(facts.meta) && Boolean(facts.meta['intercepted']) && isObject(facts.interception);
  if (!intercepted) return { ask: [], reuse: {} };
  const standing = facts.rubrics.filter((rubric) => !facts.force && isObject(facts.verdicts[rubric]));
  return {
    ask: facts.rubrics.filter((rubric) => !standing.includes(rubric)),
    reuse: Object.fromEntries(standing.map((rubric) => [rubric, facts.verdicts[rubric]])),
  };
}
