import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { createPost } from '../../judging/call/post.ts';
import { preflight, type Preflight } from '../../judging/call/preflight.ts';

/** One API key of one model. Keys are identified by their position, since no part of a key may be printed. */
export interface CheckedKey {
  readonly model: string;
  readonly api: string;
  readonly host: string;
  /** `2/3` for the second of three keys. */
  readonly key: string;
  readonly state: 'ok' | 'problem' | 'away' | 'not called';
  readonly says: string;
}

const STATES = { Ready: 'ok', Refused: 'problem', Away: 'away' } as const;
/** Short, because a person waits for the result. */
const TIMEOUT_MS = 20_000;

/** Tries every key of a model with the call that `prepare` makes before a batch. @param call false makes no calls */
export async function checkModelKeys(model: ModelEntry, call: boolean): Promise<readonly CheckedKey[]> {
  const post = createPost(TIMEOUT_MS);
  return Promise.all(
    model.keys.map(async (key, index) => ({
      model: model.name,
      api: model.apiType,
      host: new URL(model.baseUrl).host,
      key: `${String(index + 1)}/${String(model.keys.length)}`,
      ...(call ? row(await preflight(model, post, key)) : { state: 'not called' as const, says: '' }),
    })),
  );
}

function row(found: Preflight): Pick<CheckedKey, 'state' | 'says'> {
  return {
    state: STATES[found.state],
    says: found.state === 'Ready' ? '' : `${found.problem}${REMEDIES[found.state]}`,
  };
}

const REMEDIES = {
  Refused: '; check API key, credit, model name and base_url',
  Away: '; try again later',
} as const;
