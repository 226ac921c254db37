import type { ClawBenchRunSpec } from '../crds/run.ts';
import type { ClawBenchRunStatus } from '../crds/status/run-status.ts';
import { GROUP, RUN_KIND, RUN_PLURAL, VERSION } from '../crds/group.ts';
import type { KubeObject, ResourceRef } from '../kube/object.ts';

/** A run as the judge's client sees it. */
export type RunObject = KubeObject & { spec: ClawBenchRunSpec; status?: ClawBenchRunStatus };

export const RUNS: ResourceRef<RunObject> = { group: GROUP, version: VERSION, kind: RUN_KIND, plural: RUN_PLURAL };
