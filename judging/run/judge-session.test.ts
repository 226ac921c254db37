import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { normalizeUsage } from '../../benchmark/usage/normalize.ts';
import { openDirectoryStore } from '../../store/directory.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { findReferences, type References } from '../agentic/find-reference.ts';
import { judgeRun, type JudgeContext } from './judge-run.ts';
import { runVerdicts, type RunVerdicts } from '../../jobs/judge/apply-run-status.ts';
import { putJson, getJson, type StoredJson } from '../bundle/stored-json.ts';

const PREFIX = 'traces/m/r/a1/';
const META = { test_case: 'c', task_id: 7, instruction: 'buy one', intercepted: false, timestamp: '20260101-000000' };

async function bundle(store: ObjectStore, prefix: string, meta: StoredJson = META): Promise<void> {
  await putJson(store, `${prefix}run-meta.json`, meta);
  await store.put(`${prefix}data/actions.jsonl`, '{"type":"click","url":"http://shop/","timestamp":1}\n');
}

const newStore = (): ObjectStore => openDirectoryStore(mkdtempSync(join(tmpdir(), 'session-')));
const YES = '{"match": true, "reason": "done", "evidence": [{"side": "agent", "kind": "step", "index": 0}]}';

interface Setting {
  readonly store: ObjectStore;
  readonly references?: References | null;
  readonly passRubric?: JudgeContext['passRubric'];
  readonly reply?: string;
}

/** What the judge Job does with the session: its verdicts, and how often the model was asked. */
async function judged(setting: Setting): Promise<{ verdicts: RunVerdicts; asked: number }> {
  const { store, references = null, passRubric = 'Agentic', reply = YES } = setting;
  let asked = 0;
  const context: JudgeContext = {
    store,
    ask: () => {
      asked += 1;
      return Promise.resolve({ text: reply, usage: normalizeUsage({ total_tokens: 5 }) });
    },
    model: 'jm',
    structured: false,
    rubrics: ['Strict', 'Agentic'],
    passRubric,
    taskOf: () => null,
    keep: { judgeModel: 'jm' },
    updateMeta: true,
    agentic: { references },
  };
  const files = await judgeRun(context, { prefix: PREFIX, case: 'c' });
  return { verdicts: runVerdicts(files), asked };
}

const metaOf = (store: ObjectStore): Promise<StoredJson | null> => getJson(store, `${PREFIX}run-meta.json`);

describe('a session without an intercepted request', () => {
  it('is judged by the agentic rubric alone, which decides the pass when it is the pass rubric', async () => {
    const store = newStore();
    await bundle(store, PREFIX);
    const { verdicts, asked } = await judged({ store });
    expect(verdicts).toEqual({ Agentic: { match: true, reason: 'done (Judged without a human reference.)' } });
    expect(asked).toBe(1);
    expect(await metaOf(store)).toEqual({ ...META, pass: true });
  });

  it('keeps its run-meta when another rubric decides, and loses a pass that no longer counts', async () => {
    const store = newStore();
    await bundle(store, PREFIX);
    await judged({ store, passRubric: 'Strict' });
    expect(await metaOf(store)).toEqual(META);
    await judged({ store });
    await judged({ store, passRubric: 'Strict' });
    expect(await metaOf(store)).toEqual(META);
  });

  it('reports why there is no verdict', async () => {
    const store = newStore();
    await bundle(store, PREFIX);
    const { verdicts } = await judged({ store, reply: 'well' });
    expect(verdicts.Agentic?.match).toBeNull();
    expect(verdicts.Agentic?.reason).toMatch(/^unusable_reply: /);
  });
});

describe('with a reference in the same bucket', () => {
  const below = (store: ObjectStore, prefix: string): Promise<References> =>
    findReferences(store, prefix, (meta) => meta['mine'] !== true);

  it('names it by its whole key, and asks again when the reference changes', async () => {
    const store = newStore();
    await bundle(store, PREFIX);
    await bundle(store, 'humans/c/');
    await bundle(store, 'others/c/');
    const first = { store, references: await below(store, 'humans') };
    expect(await judged(first)).toEqual({ verdicts: { Agentic: { match: true, reason: 'done' } }, asked: 1 });
    expect(await getJson(store, `${PREFIX}judge_agentic.json`)).toMatchObject({ reference: 'humans/c/' });
    expect((await judged(first)).asked).toBe(0);
    expect((await judged({ store, references: await below(store, 'others/') })).asked).toBe(1);
    expect((await judged({ store })).asked).toBe(1);
  });

  it('uses no bundle that is not a reference', async () => {
    const store = newStore();
    await bundle(store, PREFIX, { ...META, mine: true });
    const { verdicts } = await judged({ store, references: await below(store, 'traces') });
    expect(verdicts.Agentic?.reason).toContain('without a human reference');
  });
});
