import { AGENTIC_PROMPT_HASH } from '../../benchmark/judge/agentic/prompt.ts';
import { rescoredVerdict, VERDICT_FILES } from '../../benchmark/judge/verdict-file.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { MAX_RAW_CHARS, type Judge, type Vote } from '../work/ask-rubric.ts';
import type { ReadableRun } from '../work/read-run.ts';
import { putJson, type JsonObject } from '../work/stored-json.ts';
import { keepVotes } from '../work/votes.ts';
import { evaluate, type AgenticBudget, type Evaluation } from './evaluate.ts';
import { referenceOf, type Reference, type References } from './find-reference.ts';
import { loadSession, type LoadedSession } from './load-evidence.ts';

export interface AgenticOptions {
  /** Human sessions; null: none were named. */
  readonly references: References | null;
  readonly budget?: AgenticBudget;
}

/**
 * Judges one run by all that was recorded of it, intercepted or not, beside the human reference where there is one, and
 * files vote and verdict. A missing reference is told and stands in the verdict; it is no fault of the agent.
 * @throws ProviderError
 */
export async function judgeAgentic(
  judge: Judge & { readonly store: ObjectStore },
  run: Pick<ReadableRun, 'prefix' | 'meta'>,
  instruction: string,
  options: AgenticOptions,
): Promise<JsonObject> {
  const reference = referenceOf(options.references, run.meta);
  const agent = await loadSession(judge.store, run.prefix, run.meta);
  const human = await loadReference(options.references, reference);
  const evaluation = await evaluate(judge.ask, { instruction, agent, reference: human }, options.budget);
  await keepVotes(judge.store, run.prefix, [voteOf(judge.model, evaluation)]);
  const file = rescoredVerdict(verdictOf(judge.model, evaluation, reference), run.meta, 'agentic');
  await putJson(judge.store, run.prefix + VERDICT_FILES.Agentic, file);
  return file;
}

async function loadReference(
  references: References | null,
  reference: Reference | null,
): Promise<LoadedSession | null> {
  if (references === null || reference === null) return null;
  return loadSession(references.store, reference.prefix, reference.meta);
}

function verdictOf(model: string, evaluation: Evaluation, reference: Reference | null): JsonObject {
  const { match, reason, evidence } = evaluation.verdict ?? { match: null, reason: '', evidence: [] };
  return {
    match,
    reason,
    judge_model: model,
    raw: evaluation.raw.slice(0, MAX_RAW_CHARS),
    error: evaluation.error,
    evidence,
    // Which session it was judged beside; null says that there was none.
    reference: reference?.prefix ?? null,
    looked_up: evaluation.lookedUp,
    calls: evaluation.calls,
    tokens: evaluation.tokens,
  };
}

function voteOf(model: string, { verdict, raw, error, tokens }: Evaluation): Vote {
  return {
    time: new Date().toISOString(),
    rubric: 'agentic',
    model,
    prompt_hash: AGENTIC_PROMPT_HASH,
    match: verdict?.match ?? null,
    reason: verdict?.reason ?? '',
    raw: raw.slice(0, MAX_RAW_CHARS),
    error,
    tokens,
  };
}
