import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { kubectl, portForward } from '../e2e-cluster/commands.ts';
import { demoStore, pullTo, verifyBundles } from '../demo/evidence.ts';
import { deviations } from '../demo/report.ts';
import { aBatch } from './batch-file.ts';
import { upstreamRescore } from './upstream-rescore.ts';

const namespace = inject('namespace');
const NAME = 'walk';
/** A right JSON order, a booking that is wrong on purpose, an answer handed in at the recorder's own page. */
const CASES = ['demo-001-*', 'demo-002-*', 'demo-005-*'];

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);

async function batchStatus(name: string): Promise<ClawBenchBatchStatus> {
  return (JSON.parse(await ours('get', 'cbb', name, '-o', 'json')) as { status: ClawBenchBatchStatus }).status;
}

/** A killed leader's lease runs out after 15 s; kills at shorter intervals would only show that there is no leader. */
const BETWEEN_KILLS_MS = 30_000;

/** Kills the operator's Pod without warning, repeatedly until `over` is set. */
async function killOperator(until: { over: boolean }): Promise<number> {
  const operator = inject('operatorNamespace');
  let kills = 0;
  for (let waited = 0; !until.over; waited += 500) {
    await sleep(500);
    if (until.over || waited % BETWEEN_KILLS_MS !== 10_000) continue;
    await kubectl([
      '-n',
      operator,
      'delete',
      'pod',
      '-l',
      'app.kubernetes.io/component=operator',
      '--force',
      '--grace-period=0',
    ]);
    kills += 1;
  }
  return kills;
}

describe('a batch of three harnesses, while its operator is killed again and again', () => {
  let status: ClawBenchBatchStatus;
  let kills = 0;

  beforeAll(async () => {
    const batch = aBatch(namespace, NAME, ({ spec }) => {
      spec.suite.select = { cases: CASES };
      spec['parallelism'] = 3;
      // The operator's own requests.
      delete (spec as { podTemplate?: unknown }).podTemplate;
    });
    await kubectl(['apply', '-f', '-'], { input: JSON.stringify(batch) });
    const until = { over: false };
    const killer = killOperator(until);
    try {
      await kubectl(['-n', namespace, 'wait', '--for=condition=Complete', `cbb/${NAME}`, '--timeout=400s'], {
        limitMs: 420_000,
      });
    } finally {
      until.over = true;
      kills = await killer;
    }
    status = await batchStatus(NAME);
  }, 450_000);

  it('ends with the expected score for each', () => {
    expect(kills).toBeGreaterThan(0);
    expect(status.counts).toMatchObject({ total: 9, finished: 9, infrastructure: 0, unjudged: 0 });
    const harnesses = {
      replay: { runs: 3, intercepted: 3, passed: 2 },
      'random-click': { runs: 3, intercepted: 0, passed: 0 },
      null: { runs: 3, intercepted: 0, passed: 0 },
    };
    expect(deviations(status, { rubric: 'Strict', harnesses })).toEqual([]);
    expect(status.rescoreSummary?.overall).toMatchObject({ nTotal: 9, nIntercepted: 3 });
  });

  it('made one attempt of each run: no kill cost a second', async () => {
    const runs = JSON.parse(await ours('get', 'cbr', '-l', `claw-bench.com/batch=${NAME}`, '-o', 'json')) as {
      items: { status: { attempt: number; phase: string } }[];
    };
    expect(runs.items.map((run) => [run.status.phase, run.status.attempt])).toEqual(Array(9).fill(['Complete', 1]));
  });

  it('let no terminal request out', async () => {
    const forward = await portForward(namespace, 'service/demo-sites', 8080);
    try {
      expect(await (await fetch(`${forward.url}/arrivals`)).json()).toEqual([]);
    } finally {
      forward.stop();
    }
  });

  it('left a verified bundle of each run, which upstream’s own rescoring reads to the same counts', async () => {
    const forward = await portForward(namespace, 'service/s3', 9000);
    try {
      const store = await demoStore(forward.url, inject('s3Keys'), NAME);
      expect(await verifyBundles(store)).toMatchObject({ bundles: 9, problems: [] });
      const folder = mkdtempSync(join(tmpdir(), 'clawbench-bundles-'));
      await pullTo(store, folder);
      expect(await upstreamRescore(folder)).toEqual({
        'batch-walk--null--no-model': { n_total: 3, n_intercepted: 0, n_match_strict: 0 },
        'batch-walk--random-click--no-model': { n_total: 3, n_intercepted: 0, n_match_strict: 0 },
        'batch-walk--replay--no-model': { n_total: 3, n_intercepted: 3, n_match_strict: 2 },
      });
    } finally {
      forward.stop();
    }
  });

  it('takes everything with it that it made', async () => {
    await kubectl(['-n', namespace, 'delete', 'cbb', NAME, '--timeout=60s']);
    const left = async (): Promise<string> =>
      ours('get', 'cbr,pods,jobs,configmaps', '-l', `claw-bench.com/batch=${NAME}`, '-o', 'name');
    await expect.poll(left, { timeout: 60_000, interval: 1000 }).toBe('');
  });
});
