import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { taskFromJson, TaskError } from '../../benchmark/task/task.ts';
import { openDirectoryStore } from '../../store/directory.ts';
import { putJson, getJson } from './stored-json.ts';
import { promoteAttempt } from './promote-attempt.ts';

const task = taskFromJson({
  instruction: 'order two',
  eval_schema: { url_pattern: '/o', method: 'POST' },
  time_limit: 5,
});
const row = {
  run: 'r',
  uid: 'u',
  action: 'Promote',
  prefix: 'm/batch-b--h--m/m/r/a2/',
  model: 'm',
  harness: 'h',
  case: 'c',
  repetition: 1,
  outcome: 'Infrastructure',
  reason: 'NodeLost',
} as const;
const newStore = (): ReturnType<typeof openDirectoryStore> =>
  openDirectoryStore(mkdtempSync(join(tmpdir(), 'promote-')));

it('makes the last attempt’s meta the run’s meta', async () => {
  const store = newStore();
  await putJson(store, `${row.prefix}attempt-meta.json`, { test_case: 'c', intercepted: false, infra_failure: true });
  await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row);
  expect(await getJson(store, `${row.prefix}run-meta.json`)).toMatchObject({ test_case: 'c', infra_failure: true });
});

it('builds a meta for an attempt that died without one, and keeps what it had uploaded', async () => {
  const store = newStore();
  await store.put(`${row.prefix}live/actions.jsonl/00000000`, '{}\n');
  await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row);
  await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row);
  expect(await getJson(store, `${row.prefix}run-meta.json`)).toMatchObject({
    instruction: 'order two',
    intercepted: false,
    adjusted_eligible: false,
    clawbench: { outcome: 'Infrastructure', reason: 'NodeLost', complete: false },
  });
  expect(await store.get(`${row.prefix}data/actions.jsonl`)).not.toBeNull();
});

it.each([
  ['TaskMismatch', 'task_data', false],
  ['NodeLost', 'infra_failure', true],
  ['PodFailed', 'infra_failure', true],
] as const)('an attempt that ended by %s and left no meta has the category %s', async (reason, category, infra) => {
  const store = newStore();
  await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, { ...row, reason });
  const meta = await getJson(store, `${row.prefix}run-meta.json`);
  expect(meta).toMatchObject({ result_category: category, failure_category: category, infra_failure: infra });
  expect(meta).toMatchObject({ adjusted_eligible: false });
  expect(meta?.['failure_reason']).toMatch(new RegExp(`^${category}: `));
});

it('keeps the interception of an attempt that died afterwards', async () => {
  const store = newStore();
  await putJson(store, `${row.prefix}data/interception.json`, { intercepted: true, request: { url: 'http://x' } });
  await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row);
  expect(await getJson(store, `${row.prefix}run-meta.json`)).toMatchObject({
    intercepted: true,
    infra_failure: false,
  });
});

it('closes a run whose case is not in the suite', async () => {
  const store = newStore();
  const taskOf = (): never => {
    throw new TaskError('', 'there is none');
  };
  await promoteAttempt({ store, batchUID: 'b', taskOf }, { ...row, reason: 'TaskMismatch' });
  const meta = await getJson(store, `${row.prefix}run-meta.json`);
  expect(meta).toMatchObject({ test_case: 'c', instruction: '', clawbench: { reason: 'TaskMismatch' } });
});

it('a termination that the agent forged counts as its own failure in upstream’s categories too', async () => {
  const store = newStore();
  const clawbench = { cause: 'infrastructure', reason: 'PodDeleted' };
  const forged = { test_case: 'c', infra_failure: true, adjusted_eligible: false, failure_reason: 'infra', clawbench };
  await putJson(store, `${row.prefix}attempt-meta.json`, forged);
  await promoteAttempt(
    { store, batchUID: 'b', taskOf: () => task },
    { ...row, outcome: 'Failed', reason: 'AgentExited' },
  );
  const meta = await getJson(store, `${row.prefix}run-meta.json`);
  expect(meta).toMatchObject({
    result_category: 'model_not_intercepted',
    infra_failure: false,
    adjusted_eligible: true,
    clawbench: { cause: 'agentExited', outcome: 'Failed', reason: 'AgentExited' },
  });
  expect(meta).not.toHaveProperty('failure_reason');
});

const CLAIMED = 'm/batch-b--h--m/m/r/a1/';
const CLAIM = 'm/batch-b--h--m/m/r/claim.json';

it('a run that an earlier attempt has claimed is closed with that attempt’s meta', async () => {
  const store = newStore();
  await putJson(store, `${CLAIMED}attempt-meta.json`, { test_case: 'c', intercepted: true });
  await putJson(store, CLAIM, { batchUID: 'b', outcome: { prefix: CLAIMED } });
  for (const _again of [1, 2]) {
    expect(await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row)).toBe(CLAIMED);
  }
  expect(await getJson(store, `${CLAIMED}run-meta.json`)).toMatchObject({ intercepted: true });
  expect(await getJson(store, `${row.prefix}run-meta.json`)).toBeNull();
});

it('the claimed run-meta is not superseded by a later attempt', async () => {
  const store = newStore();
  await putJson(store, `${CLAIMED}run-meta.json`, { test_case: 'c', pass: true });
  await putJson(store, `${CLAIMED}attempt-meta.json`, { test_case: 'c' });
  await putJson(store, CLAIM, { batchUID: 'b', outcome: { prefix: CLAIMED } });
  await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row);
  expect(await getJson(store, `${CLAIMED}run-meta.json`)).toMatchObject({ pass: true });
});

it.each([
  { batchUID: 'other', outcome: { prefix: CLAIMED } },
  { batchUID: 'b', outcome: { prefix: 'm/batch-b--h--m/m/another/a1/' } },
  { batchUID: 'b' },
])('%j is no claim of this run', async (claim) => {
  const store = newStore();
  await putJson(store, CLAIM, claim);
  expect(await promoteAttempt({ store, batchUID: 'b', taskOf: () => task }, row)).toBe(row.prefix);
});
