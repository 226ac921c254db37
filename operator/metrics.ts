import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ClawBenchBatchStatus } from '../crds/status/batch-status.ts';
import type { PhaseTimes } from '../crds/status/run-status.ts';
import type { Batch, Run } from '../kube/clawbench-kinds.ts';
import type { Live } from '../kube/object.ts';
import type { Store } from '../kube/store.ts';
import { scorePoints } from './score-points.ts';

/** The operator's own metrics. No label contains a run, a task, a URL or an error text. */
export interface OperatorMetrics {
  /** A run's outcome was written for the first time. */
  outcome(run: Live<Run>, suite: string): void;
  /** A batch's status was written. */
  batch(batch: Live<Batch>, status: ClawBenchBatchStatus): void;
  /** Removes the metrics of a batch that was deleted. */
  forgetBatch(namespace: string, name: string): void;
}

const SCORE = ['suite', 'model', 'harness', 'rubric', 'bound'] as const;
const SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/**
 * Registers the metrics.
 * @param runs the store that `clawbench_runs` counts on each scrape; null before there is one.
 */
export function createOperatorMetrics(
  registry: Registry,
  runs: () => Store<Run> | null,
  version: string,
): OperatorMetrics {
  const registers = [registry];
  const build = {
    name: 'clawbench_build_info',
    help: 'Always 1.',
    labelNames: ['version', 'node'] as const,
    registers,
  };
  new Gauge(build).set({ version, node: process.version }, 1);
  new Gauge({
    name: 'clawbench_runs',
    help: 'Runs by phase.',
    labelNames: ['namespace', 'phase'] as const,
    registers,
    collect(): void {
      this.reset();
      for (const { metadata, status } of runs()?.list() ?? []) {
        this.inc({ namespace: metadata.namespace ?? '', phase: status?.phase ?? 'Queued' });
      }
    },
  });
  const outcome = outcomeSeries(registers);
  const scores = scoreSeries(registers);
  return { outcome, ...scores };
}

function outcomeSeries(registers: Registry[]): OperatorMetrics['outcome'] {
  const outcomes = new Counter({
    name: 'clawbench_run_outcomes_total',
    help: 'Runs that have an outcome.',
    labelNames: ['namespace', 'suite', 'model', 'harness', 'outcome', 'reason'] as const,
    registers,
  });
  const phases = new Histogram({
    name: 'clawbench_run_phase_seconds',
    help: 'Time in each phase of the attempt that counts.',
    labelNames: ['phase'] as const,
    buckets: SECONDS,
    registers,
  });
  const escapes = new Counter({
    name: 'clawbench_interception_escapes_total',
    help: 'Runs that ended as InterceptionEscape.',
    registers,
  });
  const tokens = new Counter({
    name: 'clawbench_tokens_total',
    help: 'Tokens spent by runs.',
    labelNames: ['model', 'kind'] as const,
    registers,
  });
  const cost = new Counter({
    name: 'clawbench_cost_usd_total',
    help: 'US dollars spent by runs.',
    labelNames: ['model'] as const,
    registers,
  });
  return ({ metadata, spec, status = {} }, suite) => {
    const { model, harness } = spec;
    const { namespace = '' } = metadata;
    outcomes.inc({
      namespace,
      suite,
      model,
      harness: harness.name,
      outcome: status.outcome ?? '',
      reason: status.reason ?? '',
    });
    for (const [phase, seconds] of phaseSeconds(status.times ?? {})) phases.observe({ phase }, seconds);
    if (status.outcome === 'InterceptionEscape') escapes.inc();
    const spent = { tokens: 0, costUSD: 0, ...status.usage };
    tokens.inc({ model, kind: 'total' }, spent.tokens);
    cost.inc({ model }, spent.costUSD ?? 0);
  };
}

/** Seconds between the steps that were reached, by the name of the phase between them. */
function phaseSeconds(times: PhaseTimes & { queued?: string | undefined }): [string, number][] {
  const steps: [string, string | undefined, string | undefined][] = [
    ['Queued', times.queued, times.podCreated],
    ['Pending', times.podCreated, times.started],
    ['Starting', times.started, times.agentStarted],
    ['Running', times.agentStarted, times.stopped],
    ['Finalising', times.stopped, times.evidenceSafe],
  ];
  return steps.flatMap(([phase, from, to]): [string, number][] => {
    const seconds = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
    return Number.isNaN(seconds) ? [] : [[phase, Math.max(0, seconds)]];
  });
}

function scoreSeries(registers: Registry[]): Pick<OperatorMetrics, 'batch' | 'forgetBatch'> {
  const ratio = new Gauge({
    name: 'clawbench_batch_ratio',
    help: 'Score of a batch.',
    labelNames: ['namespace', 'batch', ...SCORE] as const,
    registers,
  });
  const board = leaderboard(registers);
  /** The label sets in use, by batch: they must be removed when a row leaves the table or the batch is deleted. */
  const written = new Map<string, Record<string, string>[]>();

  const forgetBatch = (namespace: string, name: string): void => {
    const key = `${namespace}/${name}`;
    for (const labels of written.get(key) ?? []) ratio.remove(labels);
    written.delete(key);
  };
  return {
    forgetBatch,
    batch: (batch, status) => {
      const { name, namespace = '' } = batch.metadata;
      const suite = batch.spec.suite.name;
      forgetBatch(namespace, name);
      const plain = scorePoints(status.rescoreSummary).filter((point) => point.group === null);
      const series = plain.map(({ labels, value }) => ({
        labels: { namespace, batch: name, suite, ...labels },
        value,
      }));
      for (const { labels, value } of series) ratio.set(labels, value);
      written.set(
        `${namespace}/${name}`,
        series.map(({ labels }) => labels),
      );
      if (status.phase === 'Complete') board(namespace, suite, status);
    },
  };
}

/** The newest complete batch of each suite. The history of nightly batches is in Prometheus. */
function leaderboard(registers: Registry[]): (namespace: string, suite: string, status: ClawBenchBatchStatus) => void {
  const labelNames = ['namespace', ...SCORE] as const;
  const help = 'Score in the newest complete batch of each suite.';
  const board = new Gauge({ name: 'clawbench_leaderboard_ratio', help, labelNames, registers });
  const groups = new Gauge({
    name: 'clawbench_leaderboard_group_ratio',
    help,
    labelNames: [...labelNames, 'group'] as const,
    registers,
  });
  const newest = new Map<string, number>();
  return (namespace, suite, status) => {
    const ended = Date.parse(status.completionTime ?? '') || 0;
    const key = `${namespace}/${suite}`;
    if (ended < (newest.get(key) ?? 0)) return;
    newest.set(key, ended);
    for (const { labels, group, value } of scorePoints(status.rescoreSummary)) {
      if (group === null) board.set({ namespace, suite, ...labels }, value);
      else groups.set({ namespace, suite, ...labels, group }, value);
    }
  };
}
