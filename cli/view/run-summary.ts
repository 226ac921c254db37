import { labelAt, numberAt, valueAt, type JsonRecord } from './fields.ts';
import {
  outcomeFromBundle,
  verdictsOf,
  type RunFiles,
  type BundleOutcome,
  type BundleVerdict,
} from './bundle-outcome.ts';

/** One row of the index. */
export interface RunSummary {
  /** Folder of the attempt in DIR, with `/` between names; empty for DIR itself. */
  readonly path: string;
  /** False for an attempt that was superseded or not closed (no `run-meta.json`). */
  readonly counts: boolean;
  readonly batch: string;
  readonly task: string;
  readonly model: string;
  readonly harness: string;
  readonly repetition: number | null;
  readonly attempt: number | null;
  readonly result: BundleOutcome;
  readonly intercepted: boolean;
  readonly verdicts: readonly BundleVerdict[];
  readonly durationSeconds: number | null;
  readonly actions: number | null;
  readonly requests: number | null;
  readonly costUSD: number | null;
}

/** Summarizes a run from its small files. Supports upstream's bundles, too. */
export function summariseRun(path: string, counts: boolean, files: RunFiles): RunSummary {
  const { meta } = files;
  const model = labelAt(meta, 'model');
  return {
    path,
    counts,
    batch: batchOf(path, meta),
    task: labelAt(meta, 'test_case') || path.split('/').at(-1) || 'run',
    model,
    harness: labelAt(meta, 'harness'),
    repetition: numberAt(meta, 'clawbench', 'repetition'),
    attempt: numberAt(meta, 'clawbench', 'attempt'),
    result: outcomeFromBundle(files),
    intercepted: valueAt(meta, 'intercepted') === true,
    verdicts: verdictsOf(files),
    durationSeconds: numberAt(meta, 'duration_seconds'),
    actions: numberAt(meta, 'run_metrics', 'actions'),
    requests: numberAt(meta, 'run_metrics', 'requests'),
    costUSD: numberAt(meta, 'usage', 'estimated_cost_usd'),
  };
}

/** Name of the batch from the `clawbench` block, or from the folder name in upstream's layout. */
function batchOf(path: string, meta: JsonRecord): string {
  const named = labelAt(meta, 'clawbench', 'batch');
  if (named !== '') return named;
  return path.split('/').find((part) => part.startsWith('batch-')) ?? '(no batch)';
}
