import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { createPost } from '../../judging/call/post.ts';
import { preflight, type Preflight } from '../../judging/call/preflight.ts';

/** One key of one model. Keys are told by their place: nothing of a key may be printed. */
export interface CheckedKey {
  readonly model: string;
  readonly api: string;
  readonly host: string;
  /** `2/3`: the second of three. */
  readonly key: string;
  readonly state: 'ok' | 'problem' | 'away' | 'not called';
  readonly says: string;
}

const STATES = { Ready: 'ok', Refused: 'problem', Away: 'away' } as const;
/** A person waits for this. */
const TIMEOUT_MS = 20_000;

/** Tries every key of a model with the call that `prepare` makes before a batch. @param call false: nobody is called. */
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
  Refused: '; check its key, credit, name and base_url',
  Away: '; it may pass: try again',
} as const;
