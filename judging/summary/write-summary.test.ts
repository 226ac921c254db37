import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runName, runPrefix } from '../../benchmark/protocol/names.ts';
import { openDirectoryStore } from '../../store/directory.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { putJson, getJson } from '../bundle/stored-json.ts';
import { writeSummary, type BatchRun, type SummaryFacts } from './write-summary.ts';

const run = (task: string, harness: string): BatchRun => ({
  name: runName('b', { task, model: 'm/1', harness, repetition: 1 }),
  model: 'm/1',
  harness,
  task,
  repetition: 1,
  group: 'Daily',
  metaclass: 'daily-life',
  site: 'shop.test',
  outcome: 'Failed',
  reason: 'AgentExited',
});

async function bundle(store: ObjectStore, place: number, one: BatchRun, verdict: boolean | null): Promise<void> {
  const prefix = `${runPrefix({ batch: 'b', place, ...one })}/a1/`;
  const meta = {
    test_case: one.task,
    task_id: place,
    model: one.model,
    harness: one.harness,
    metaclass: 'daily-life',
    class: 'x',
    sites_involved: ['shop.test'],
  };
  await putJson(store, `${prefix}run-meta.json`, { ...meta, intercepted: verdict !== null, adjusted_eligible: true });
  if (verdict !== null) await putJson(store, `${prefix}judge.json`, { match: verdict, reason: 'r' });
}

const facts = (runs: readonly BatchRun[]): SummaryFacts => ({
  batch: 'b',
  dataset: 'mine',
  runs,
  rubrics: ['Strict'],
  passRubric: 'Strict',
  judgeModel: 'jm',
  wallHours: 1.5,
});

it('writes upstream’s files per model and harness, and ours for the batch', async () => {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'summary-')));
  const runs = [run('t1', 'h'), run('t2', 'h'), { ...run('t3', 'h'), outcome: null }, run('t1', 'g')];
  await bundle(store, 0, runs[0] as BatchRun, true);
  await bundle(store, 1, runs[1] as BatchRun, false);
  await bundle(store, 0, runs[3] as BatchRun, null);
  expect(await writeSummary(store, facts(runs))).toBe(3);

  const directory = 'm--1/batch-b--h--m--1';
  expect(await getJson(store, `${directory}/rescore-summary.json`)).toMatchObject({
    n_total: 2,
    n_intercepted: 2,
    n_match_strict: 1,
  });
  expect(await getJson(store, `${directory}/summary.json`)).toMatchObject({
    model: 'm--1',
    intercepted_pct: '100.0%',
  });
  expect(await getJson(store, '_batches/b/summary.json')).toMatchObject({
    dataset: 'mine',
    overall: { nPlanned: 4, nTotal: 3, nIntercepted: 2, partial: true },
    bySite: [{ name: 'shop.test', nPlanned: 4, partial: true }],
    byMetaclass: [{ name: 'daily-life' }],
  });
  const results = Buffer.from((await store.get('_batches/b/results.csv')) ?? []).toString();
  expect(results).toContain('m/1,h,mine,1,2,50.00,1.50');
  const perTask = Buffer.from((await store.get('_batches/b/per_task.csv')) ?? [])
    .toString()
    .trim()
    .split('\r\n');
  expect(perTask).toHaveLength(5);
  expect(perTask[1]).toBe('m/1,h,1,Failed,0,t1,True,True,r');
});

it('counts a run that the system failed in the total, but not as eligible or passed', async () => {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'summary-')));
  const runs = [run('t1', 'null'), { ...run('t2', 'null'), outcome: 'EvidenceIncomplete' }, run('t3', 'null')];
  for (const [place, one] of runs.entries()) await bundle(store, place, one, place < 2 ? true : null);
  await writeSummary(store, facts(runs));
  expect(await getJson(store, '_batches/b/summary.json')).toMatchObject({
    overall: { nTotal: 3, nEligible: 2, nIntercepted: 2, rubrics: { Strict: { match: 1, unjudged: 1 } } },
  });
  const results = Buffer.from((await store.get('_batches/b/results.csv')) ?? []).toString();
  expect(results).toContain('m/1,null,mine,1,3,33.33,1.50');
});

it('keeps a run with an unreadable or missing bundle in the denominator, as infrastructure', async () => {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'summary-')));
  const runs = [run('t1', 'h'), run('t2', 'h'), run('t3', 'h'), { ...run('t4', 'h'), outcome: 'Cancelled' }];
  for (const [place, one] of runs.slice(0, 2).entries()) await bundle(store, place, one, true);
  const broken = `${runPrefix({ batch: 'b', place: 1, ...runs[1]! })}/a1/run-meta.json`;
  await store.put(broken, '{"test_case": "t2", "inter');
  await writeSummary(store, facts(runs));
  expect(await getJson(store, '_batches/b/summary.json')).toMatchObject({
    overall: { nPlanned: 4, nTotal: 3, nEligible: 1, nIntercepted: 1, interceptedRate: 0.3333 },
  });
  expect(await getJson(store, 'm--1/batch-b--h--m--1/rescore-summary.json')).toMatchObject({ n_total: 1 });
});

it('counts agentic verdicts without an interception, and passes runs by them when they decide', async () => {
  const store = openDirectoryStore(mkdtempSync(join(tmpdir(), 'summary-')));
  const lost = { ...run('t4', 'h'), outcome: 'Infrastructure' };
  const runs = [run('t1', 'h'), run('t2', 'h'), run('t3', 'h'), lost];
  for (const [place, one] of runs.entries()) await bundle(store, place, one, null);
  const attempt = (place: number): string => `${runPrefix({ batch: 'b', place, ...runs[place]! })}/a1/`;
  await putJson(store, `${attempt(0)}judge_agentic.json`, { match: true, reason: 'did it' });
  await putJson(store, `${attempt(1)}judge_agentic.json`, { match: false, reason: 'did not' });
  const infra = await getJson(store, `${attempt(3)}run-meta.json`);
  await putJson(store, `${attempt(3)}run-meta.json`, { ...infra, clawbench: { cause: 'infrastructure' } });
  await writeSummary(store, { ...facts(runs), rubrics: ['Strict', 'Agentic'], passRubric: 'Agentic' });
  expect(await getJson(store, '_batches/b/summary.json')).toMatchObject({
    overall: {
      nTotal: 4,
      nEligible: 3,
      nIntercepted: 0,
      rubrics: {
        Agentic: { match: 1, mismatch: 1, unjudged: 1, rate: 0.25, rateEligible: 0.3333 },
        Strict: { match: 0, mismatch: 0, unjudged: 0 },
      },
    },
  });
  expect(await getJson(store, 'm--1/batch-b--h--m--1/rescore-summary.json')).toMatchObject({
    n_match_agentic: 1,
    n_mismatch_agentic: 1,
    n_judge_err_agentic: 1,
    reward_pct_agentic: 0.25,
    n_match_strict: 0,
  });
  const text = async (key: string): Promise<string> => Buffer.from((await store.get(key)) ?? []).toString();
  expect(await text('_batches/b/results.csv')).toContain('m/1,h,mine,1,4,25.00,1.50');
  expect((await text('_batches/b/per_task.csv')).split('\r\n')[1]).toBe('m/1,h,1,Failed,0,t1,False,,,True,did it');
});
