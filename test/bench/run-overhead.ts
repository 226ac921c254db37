import { setTimeout as sleep } from 'node:timers/promises';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import { openE2eCluster } from '../e2e-cluster/open-e2e-cluster.ts';
import { aBatch } from '../e2e/batch-file.ts';

const NAMESPACE = 'clawbench-bench';
const RUNS = 5;

/** Steps of a run in order; each phase is the time from the step before. */
const STEPS = [
  'created',
  'podCreated',
  'podScheduled',
  'started',
  'armed',
  'agentStarted',
  'stopped',
  'evidenceSafe',
  'ended',
  'completed',
] as const;
type Step = (typeof STEPS)[number];

interface RunView {
  readonly metadata: { readonly creationTimestamp: string };
  readonly status: ClawBenchRunStatus;
}

export interface RunOverhead {
  readonly name: 'run-overhead';
  readonly runs: number;
  /** Median seconds per phase, by the step that ends it. */
  readonly phases: Readonly<Record<string, number>>;
  /** Median seconds from the first Pod's creation to the final status, and to the agent's start. */
  readonly podToFinalSeconds: number;
  readonly podToAgentSeconds: number;
}

/** One run at a time with a harness that does nothing, so that only the system's own cost remains. */
export async function runOverhead(): Promise<RunOverhead> {
  const cluster = await openE2eCluster(NAMESPACE, `${NAMESPACE}-system`);
  try {
    const batch = aBatch(NAMESPACE, 'overhead', ({ spec }) => {
      spec.harnesses = [{ name: 'null' }];
      spec.suite.select = { limit: RUNS };
      spec['parallelism'] = 1;
    });
    await kubectl(['apply', '-f', '-'], { input: JSON.stringify(batch) });
    await kubectl(['-n', NAMESPACE, 'wait', '--for=condition=Complete', 'cbb/overhead', '--timeout=400s'], {
      limitMs: 420_000,
    });
    await sleep(1000);
    const { items } = JSON.parse(await kubectl(['-n', NAMESPACE, 'get', 'cbr', '-o', 'json'])) as { items: RunView[] };
    return measured(items);
  } finally {
    await cluster.close();
  }
}

function measured(runs: readonly RunView[]): RunOverhead {
  const times = runs.map((run) => timesOf(run));
  const between = (from: Step, to: Step): number =>
    median(times.map((one) => ((one[to] ?? NaN) - (one[from] ?? NaN)) / 1000));
  const phases = STEPS.slice(2).map((step, index) => [step, between(STEPS[index + 1] ?? 'created', step)] as const);
  return {
    name: 'run-overhead',
    runs: runs.length,
    phases: Object.fromEntries(phases),
    podToFinalSeconds: between('podCreated', 'completed'),
    podToAgentSeconds: between('podCreated', 'agentStarted'),
  };
}

function timesOf({ metadata, status }: RunView): Partial<Record<Step, number>> {
  const all: Record<string, string | undefined> = {
    ...status.attempts?.at(-1)?.times,
    ...status.times,
    created: metadata.creationTimestamp,
  };
  return Object.fromEntries(STEPS.flatMap((step) => (all[step] === undefined ? [] : [[step, Date.parse(all[step])]])));
}

function median(values: readonly number[]): number {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? NaN) * 100) / 100;
}
