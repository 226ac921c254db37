import { SUITE_ARCHIVE } from '../../benchmark/protocol/pod-paths.ts';
import { suiteNotFound } from '../../benchmark/task/suite.ts';
import { unsupportedFields } from '../../crds/unsupported.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import type { Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { validateBatchSpec, type SpecProblem } from '../batch/validate-spec.ts';
import type { Images } from '../config.ts';
import type { ReconcilerDeps } from '../deps.ts';
import { readInlineTask } from './inline-task.ts';

/** Validates the spec. A standalone run has no `prepare` Job: only this, and whether the suite exists, is checked. */
export function validateRunSpec(run: Live<Run>, batch: Live<Batch>, images: Images): SpecProblem | null {
  const unsupported = unsupportedFields(run.spec)[0];
  if (unsupported !== undefined) return { reason: 'UnsupportedField', message: unsupported };
  const { inline } = run.spec.task;
  const task = inline === undefined ? null : readInlineTask(inline).problem;
  if (task !== null) return { reason: 'TaskInvalid', message: task };
  return validateBatchSpec(batch, images, () => 'spec.harness');
}

/** Whether the suite's ConfigMap exists; it is not opened. If it is applied later, it is found by then. */
export async function validateSuite(deps: ReconcilerDeps, run: Live<Run>): Promise<SpecProblem | null> {
  const name = run.spec.suite?.configMapRef?.name;
  if (run.spec.task.inline !== undefined || name === undefined) return null;
  const { namespace = '' } = run.metadata;
  const found = await resource(deps.client, CONFIG_MAPS, namespace).find(name);
  if (found?.binaryData?.[SUITE_ARCHIVE] !== undefined) return null;
  return { reason: 'SuiteNotFound', message: `${suiteNotFound(name, namespace)}.` };
}
