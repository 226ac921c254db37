import { stringifyJson } from '../../benchmark/text/json.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { PromptRubric } from '../../benchmark/judge/rubrics.ts';

/** One reply of a judge model, stored under `votes/` and never deleted. */
export interface Vote {
  /** UTC, ISO 8601. */
  readonly time: string;
  readonly rubric: PromptRubric | 'agentic';
  readonly model: string;
  /** First digits of the prompt's SHA-256: identifies the wording. */
  readonly prompt_hash: string;
  readonly match: boolean | null;
  readonly reason: string;
  readonly raw: string;
  readonly error: string | null;
  readonly tokens: number;
}

/** A stored reply is truncated to this length. */
export const MAX_RAW_CHARS = 20_000;

/** Stores one object per vote; none is overwritten: the key contains the time in milliseconds and the index in the series. */
export async function saveVotes(store: ObjectStore, prefix: string, votes: readonly Vote[]): Promise<void> {
  for (const [index, vote] of votes.entries()) {
    const stamp = vote.time.replaceAll(/[-:.]/g, '');
    const key = `${prefix}votes/${stamp}-${vote.rubric}-${String(index + 1)}.json`;
    await store.put(key, `${stringifyJson(vote, 2)}\n`, { ifNoneMatch: '*', contentType: 'application/json' });
  }
}
