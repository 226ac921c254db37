import type { ClawBenchBatchSpec } from '../crds/batch.ts';
import { BATCH_KIND, BATCH_PLURAL, GROUP, RUN_KIND, RUN_PLURAL, VERSION } from '../crds/group.ts';
import type { ClawBenchRunSpec } from '../crds/run.ts';
import type { ClawBenchBatchStatus } from '../crds/status/batch-status.ts';
import type { ClawBenchRunStatus } from '../crds/status/run-status.ts';
import type { KubeObject, ResourceRef } from './object.ts';

/** The two custom resources. */
export type Batch = KubeObject & { spec: ClawBenchBatchSpec; status?: ClawBenchBatchStatus };
export type Run = KubeObject & { spec: ClawBenchRunSpec; status?: ClawBenchRunStatus };

export const BATCHES: ResourceRef<Batch> = { group: GROUP, version: VERSION, kind: BATCH_KIND, plural: BATCH_PLURAL };
export const RUNS: ResourceRef<Run> = { group: GROUP, version: VERSION, kind: RUN_KIND, plural: RUN_PLURAL };
