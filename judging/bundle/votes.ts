import { stringifyJson } from '../../benchmark/text/json.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { Vote } from '../rubric/ask-rubric.ts';

/** One object per vote, never overwritten: the key holds the time to the millisecond and the place in a series. */
export async function keepVotes(store: ObjectStore, prefix: string, votes: readonly Vote[]): Promise<void> {
  for (const [index, vote] of votes.entries()) {
    const stamp = vote.time.replaceAll(/[-:.]/g, '');
    const key = `${prefix}votes/${stamp}-${vote.rubric}-${String(index + 1)}.json`;
    await store.put(key, `${stringifyJson(vote, 2)}\n`, { ifNoneMatch: '*', contentType: 'application/json' });
  }
}
