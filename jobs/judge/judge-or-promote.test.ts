import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { taskFromJson } from '../../benchmark/task/task.ts';
import { normalizeUsage } from '../../benchmark/usage/normalize.ts';
import { openDirectoryStore } from '../../store/directory.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { RunUnreadable } from '../../judging/run/judge-run.ts';
import { putJson, getJson, type StoredJson } from '../../judging/bundle/stored-json.ts';
import { judgeOrPromote, type JudgeJob } from './judge-or-promote.ts';

const PREFIX = 'm/batch-b--h--m/m/r/a1-0/';
const row = {
  run: 'r',
  uid: 'u',
  action: 'Judge',
  prefix: PREFIX,
  model: 'm',
  harness: 'h',
  case: 'c',
  repetition: 1,
} as const;
const task = taskFromJson({ instruction: 'order', eval_schema: { url_pattern: '/o', method: 'POST' }, time_limit: 5 });

function aWork(): { work: JudgeJob; store: ObjectStore; applied: unknown[] } {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'row-')));
  const applied: unknown[] = [];
  const text = '{"match": true, "reason": "yes"}';
  const work = {
    job: {
      batchUID: 'b-uid',
      spec: { judge: { model: 'jm', rubrics: ['Strict'], passRubric: 'Strict', agentic: { enabled: false } } },
    },
    store,
    runs: {
      apply: (object: { status: { verdicts: unknown } }) => Promise.resolve(applied.push(object.status.verdicts)),
    },
    judge: { ask: () => Promise.resolve({ text, usage: normalizeUsage({}) }), model: 'jm', structured: false },
    references: null,
    taskOf: () => task,
    log: { info: () => undefined },
  } as unknown as JudgeJob;
  return { work, store, applied };
}

const caught = { intercepted: true, request: { url: 'http://x/o', method: 'POST', body: {}, body_status: 'complete' } };

it('judges an intercepted request, also of an attempt that died afterwards', async () => {
  const { work, store, applied } = aWork();
  await putJson(store, `${PREFIX}data/interception.json`, caught);
  expect(await judgeOrPromote(work, row)).toBe('judged');
  expect(applied).toEqual([{ Strict: { match: true, reason: 'yes' } }]);
  expect(await getJson(store, `${PREFIX}run-meta.json`)).toMatchObject({ intercepted: true, judge_match: true });
});

it('does not judge or recreate a deleted bundle, and removes no verdict', async () => {
  const { work, store, applied } = aWork();
  await expect(judgeOrPromote(work, row)).rejects.toThrow(RunUnreadable);
  expect([applied, await getJson(store, `${PREFIX}run-meta.json`)]).toEqual([[], null]);
});

describe('an attempt that stored nothing because another one holds the claim', () => {
  const OTHER = PREFIX.replace('a1-0', 'a0-0');
  const claim = (batchUID: string): StoredJson => ({ batchUID, attempt: 1, outcome: { prefix: OTHER } });
  const begun = async (batchUID = 'b-uid'): Promise<ReturnType<typeof aWork>> => {
    const given = aWork();
    await putJson(given.store, 'm/batch-b--h--m/m/r/claim.json', claim(batchUID));
    return given;
  };

  it('the other one is closed and judged', async () => {
    const { work, store, applied } = await begun();
    await putJson(store, `${OTHER}attempt-meta.json`, { intercepted: true });
    await putJson(store, `${OTHER}data/interception.json`, caught);
    expect(await judgeOrPromote(work, row)).toBe('judged');
    expect(applied).toEqual([{ Strict: { match: true, reason: 'yes' } }]);
    expect(await getJson(store, `${OTHER}run-meta.json`)).toMatchObject({ intercepted: true, judge_match: true });
    expect(await getJson(store, `${PREFIX}run-meta.json`)).toBeNull();
  });

  it('the other one, which its recorder has closed, is judged', async () => {
    const { work, store, applied } = await begun();
    await putJson(store, `${OTHER}run-meta.json`, { intercepted: true });
    await putJson(store, `${OTHER}data/interception.json`, caught);
    expect(await judgeOrPromote(work, row)).toBe('judged');
    expect(applied).toHaveLength(1);
  });

  it.each(['b-uid', 'another-batch'])('stays open when the other one has nothing either: %s', async (uid) => {
    const { work, applied } = await begun(uid);
    await expect(judgeOrPromote(work, row)).rejects.toThrow(RunUnreadable);
    expect(applied).toEqual([]);
  });
});

it('a run whose bundle cannot be judged stays open and keeps its verdict', async () => {
  const { work, store, applied } = aWork();
  await putJson(store, `${PREFIX}run-meta.json`, { intercepted: false });
  await expect(judgeOrPromote(work, row)).rejects.toThrow(/Strict/);
  expect(applied).toEqual([]);
});

it('a session without an intercepted request needs no Strict verdict', async () => {
  const { work, store } = aWork();
  await putJson(store, `${PREFIX}run-meta.json`, { intercepted: false });
  expect(await judgeOrPromote(work, { ...row, outcome: 'Failed', reason: 'AgentExited' })).toBe('judged');
});
