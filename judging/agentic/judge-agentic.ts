import { AGENTIC_PROMPT_HASH } from '../../benchmark/judge/agentic/prompt.ts';
import { rescoredVerdict, VERDICT_FILES } from '../../benchmark/judge/verdict-file.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { type JudgeModel } from '../rubric/ask-rubric.ts';
import type { ReadableRun } from '../bundle/read-stored-run.ts';
import { putJson, type StoredJson } from '../bundle/stored-json.ts';
import { saveVotes, MAX_RAW_CHARS, type Vote } from '../bundle/votes.ts';
import { createByteBudget } from './byte-budget.ts';
import { evaluate, type AgenticBudget, type Evaluation } from './evaluate.ts';
import { referenceOf, type Reference, type References } from './find-reference.ts';
import { listSession, loadSession, type LoadedSession } from './load-evidence.ts';

export interface AgenticOptions {
  /** Human sessions; null: none are configured. */
  readonly references: References | null;
  readonly budget?: AgenticBudget;
}

/**
 * Judges one run by everything that was recorded of it, intercepted or not, beside the human reference if there is one, and
 * stores the vote and the verdict. The verdict says when there is no reference; that does not count against the agent.
 * @throws ProviderError
 */
export async function judgeAgentic(
  judge: JudgeModel & { readonly store: ObjectStore },
  run: Pick<ReadableRun, 'prefix' | 'meta'>,
  instruction: string,
  options: AgenticOptions,
): Promise<StoredJson> {
  const reference = referenceOf(options.references, run.meta);
  const own = await openSession(judge.store, run);
  const human =
    options.references === null || reference === null ? null : await openSession(options.references.store, reference);
  const evaluation = await IN_HAND.hold(own.bytes + (human?.bytes ?? 0), async () => {
    const input = { instruction, agent: await own.load(), reference: (await human?.load()) ?? null };
    return evaluate(judge.ask, input, options.budget);
  });
  await saveVotes(judge.store, run.prefix, [voteOf(judge.model, evaluation)]);
  const file = rescoredVerdict(verdictOf(judge.model, evaluation, reference), run.meta, 'agentic');
  await putJson(judge.store, run.prefix + VERDICT_FILES.Agentic, file);
  return file;
}

/** Evidence in memory at a time: two sessions of the largest size, which take 400 MB of the Job's 1 GiB. */
const IN_HAND = createByteBudget(96 * 1024 * 1024);

async function openSession(
  store: ObjectStore,
  { prefix, meta }: Pick<ReadableRun, 'prefix' | 'meta'>,
): Promise<{ bytes: number; load: () => Promise<LoadedSession> }> {
  const files = await listSession(store, prefix);
  return { bytes: files.bytes, load: () => loadSession(store, files, meta) };
}

function verdictOf(model: string, evaluation: Evaluation, reference: Reference | null): StoredJson {
  const { match, reason, evidence } = evaluation.verdict ?? { match: null, reason: '', evidence: [] };
  return {
    match,
    reason,
    judge_model: model,
    raw: evaluation.raw.slice(0, MAX_RAW_CHARS),
    error: evaluation.error,
    evidence,
    // The reference session it was compared with; null: there was none.
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
