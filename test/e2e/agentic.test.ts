import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { kubectl, portForward } from '../e2e-cluster/commands.ts';
import { demoStore, verifyBundles } from '../demo/evidence.ts';
import { aBatch } from './batch-file.ts';

/** The evaluator as a judge Job: with references in the bucket, and for sessions without an intercepted request. */

const namespace = inject('namespace');
const NAME = 'whole';
const HAND = 'demo-005-academia-research-ferry-almanac';
const ORDER = 'demo-001-shopping-order-papermill';
const JUDGE = { rubrics: ['Strict', 'Agentic'], passRubric: 'Agentic', agentic: { referencePrefix: 'humans/' } };

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);
const apply = (object: unknown): Promise<string> => kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });
const complete = (object: string): Promise<string> =>
  kubectl(['-n', namespace, 'wait', '--for=condition=Complete', object, '--timeout=280s'], { limitMs: 300_000 });
async function statusOf<Status>(object: string): Promise<Status> {
  return (JSON.parse(await ours('get', object, '-o', 'json')) as { status: Status }).status;
}

async function inStore<T>(
  prefix: string,
  use: (store: Awaited<ReturnType<typeof demoStore>>) => Promise<T>,
): Promise<T> {
  const forward = await portForward(namespace, 'service/s3', 9000);
  try {
    return await use(await demoStore(forward.url, inject('s3Keys'), prefix));
  } finally {
    forward.stop();
  }
}

/** A person's session of the order, as an import of upstream's folders leaves it. */
function putReference(): Promise<void> {
  return inStore('humans', async (store) => {
    const meta = { test_case: ORDER, human: true, intercepted: true, timestamp: '20260101-000000' };
    await store.put('order/run-meta.json', JSON.stringify(meta));
    const step = { type: 'input', url: 'http://papermill.demo.test/', value: 'Meadow', timestamp: 1 };
    await store.put('order/data/actions.jsonl', `${JSON.stringify(step)}\n`);
  });
}

function theBatch(): unknown {
  return aBatch(namespace, NAME, ({ spec }) => {
    spec.suite.select = { cases: ['demo-001-*', 'demo-002-*'] };
    spec.harnesses = spec.harnesses.filter(({ name }) => name !== 'random-click');
    Object.assign(spec.judge, JUDGE);
    spec['parallelism'] = 4;
  });
}

/** A run whose request is not the target: it is sent to the recorder's own page, and the session continues. */
function theRun(): unknown {
  const { spec } = aBatch(namespace, HAND);
  const path = join(import.meta.dirname, '../../test-cases/demo/tasks', HAND, 'task.json');
  const task = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return {
    apiVersion: 'claw-bench.com/v1alpha1',
    kind: 'ClawBenchRun',
    metadata: { name: HAND, namespace },
    spec: {
      suite: { name: 'demo' },
      task: { inline: { ...task, eval_schema: { url_pattern: 'papermill\\.demo\\.test/never$', method: 'POST' } } },
      model: 'no-model',
      harness: spec.harnesses.find((one) => one.name === 'replay'),
      judge: { ...spec.judge, ...JUDGE },
      network: spec.network,
      artifacts: spec.artifacts,
      podTemplate: spec.podTemplate,
    },
  };
}

let batch: ClawBenchBatchStatus;
let run: ClawBenchRunStatus;

beforeAll(async () => {
  await putReference();
  await Promise.all([apply(theBatch()), apply(theRun())]);
  await Promise.all([complete(`cbb/${NAME}`), complete(`cbr/${HAND}`)]);
  batch = await statusOf(`cbb/${NAME}`);
  run = await statusOf(`cbr/${HAND}`);
}, 320_000);

afterAll(async () => {
  await ours('delete', `cbb/${NAME}`, `cbr/${HAND}`, '--ignore-not-found', '--timeout=90s');
}, 120_000);

describe('a batch whose pass rubric is Agentic', () => {
  it('judged every session, and counts each once', () => {
    expect(batch.counts).toMatchObject({ total: 4, finished: 4, passed: 1, failed: 3, infrastructure: 0, unjudged: 0 });
    expect(batch.rescoreSummary?.overall).toMatchObject({
      nTotal: 4,
      nIntercepted: 2,
      rubrics: {
        Strict: { match: 1, mismatch: 1, unjudged: 0, rate: 0.25 },
        Agentic: { match: 1, mismatch: 3, unjudged: 0, rate: 0.25 },
      },
    });
  });

  it('says in each run what the evaluator found, and where it had no human session', async () => {
    const list = await ours('get', 'cbr', '-l', `claw-bench.com/batch=${NAME}`, '-o', 'json');
    const runs = (JSON.parse(list) as { items: { spec: RunSpec; status: ClawBenchRunStatus }[] }).items;
    const said = runs.map(({ spec, status }) => [
      spec.harness.name,
      spec.task.ref.case.slice(0, 8),
      [status.phase, status.outcome, status.reason].join('/'),
      Object.keys(status.verdicts ?? {})
        .sort()
        .join('+'),
      status.verdicts?.Agentic?.reason?.includes('without a human reference'),
    ]);
    expect(said.sort()).toEqual([
      ['null', 'demo-001', 'Complete/Failed/JudgedMismatch', 'Agentic', false],
      ['null', 'demo-002', 'Complete/Failed/JudgedMismatch', 'Agentic', true],
      ['replay', 'demo-001', 'Complete/Passed/JudgedMatch', 'Agentic+Strict', false],
      ['replay', 'demo-002', 'Complete/Failed/JudgedMismatch', 'Agentic+Strict', true],
    ]);
  });

  it('left verdicts that name their reference, and tables that count them', async () => {
    await inStore(NAME, async (store) => {
      const read = async (key: string): Promise<Record<string, unknown>> =>
        JSON.parse(Buffer.from((await store.get(key)) ?? []).toString()) as Record<string, unknown>;
      const keys: string[] = [];
      for await (const { key } of store.list('')) keys.push(key);
      const files = await Promise.all(keys.filter((key) => key.endsWith('/judge_agentic.json')).map(read));
      expect(files.map((file) => [file['test_case'], file['reference']]).sort()).toEqual([
        [ORDER, 'humans/order/'],
        [ORDER, 'humans/order/'],
        [expect.stringContaining('demo-002'), null],
        [expect.stringContaining('demo-002'), null],
      ]);
      expect(await read(`_batches/${NAME}/summary.json`)).toMatchObject({
        overall: { rubrics: { Agentic: { match: 1, mismatch: 3, unjudged: 0, rateEligible: 0.25 } } },
      });
      const rollUp = keys.find((key) => key.includes('--replay--') && key.endsWith('/rescore-summary.json')) ?? '';
      expect(await read(rollUp)).toMatchObject({
        n_total: 2,
        n_match_agentic: 1,
        n_mismatch_agentic: 1,
        n_match_strict: 1,
      });
      const table = Buffer.from((await store.get(`_batches/${NAME}/per_task.csv`)) ?? []).toString();
      expect(table.split('\r\n')[0]).toContain('match_agentic,reason_agentic');
      expect(await verifyBundles(store)).toMatchObject({ bundles: 4, problems: [] });
    });
  });
});

interface RunSpec {
  readonly harness: { readonly name: string };
  readonly task: { readonly ref: { readonly case: string } };
}

describe('a standalone run whose request is never intercepted', () => {
  it('passes by the evaluator’s verdict on the whole session', async () => {
    expect(run).toMatchObject({ phase: 'Complete', outcome: 'Passed', reason: 'JudgedMatch', intercepted: false });
    expect(run.verdicts).toEqual({ Agentic: { match: true, reason: expect.stringContaining('was typed') } });
    expect(run.attempts?.at(-1)).toMatchObject({ outcome: 'Failed', reason: 'AgentExited' });
    expect(await ours('get', 'jobs', '-l', `claw-bench.com/batch=${HAND}`, '-o', 'name')).toContain('judge-1');
  });
});
