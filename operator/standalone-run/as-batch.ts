import { batchSpecOf, caseOf } from '../../crds/run-as-batch.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import { batchFacts, type BatchFacts } from '../run/batch-facts.ts';
import type { TaskEntry } from '../run/run-config.ts';
import { readInlineTask } from './inline-task.ts';

/**
 * A standalone run seen as a batch of one run. Kind, name and UID are the run's, so whatever is built for this batch is
 * owned by the run and deleted with it.
 */
export function asBatch(run: Live<Run>): Live<Batch> {
  const { apiVersion, kind, metadata, spec } = run;
  return { apiVersion, kind, metadata, spec: batchSpecOf(metadata.name, spec) };
}

/** The task of a standalone run. Of a suite's task only the name is known, because the operator opens no archive. */
export function standaloneTaskEntry(run: Live<Run>): TaskEntry {
  const { inline, ref } = run.spec.task;
  if (inline === undefined) return { case: caseOf(run), sha256: ref?.sha256 ?? null, timeLimitSeconds: null, index: 0 };
  const { task, sha256 } = readInlineTask(inline);
  return { case: caseOf(run), sha256, timeLimitSeconds: task?.timeLimitSeconds ?? null, index: 0 };
}

/** @param ended no verdict is waited for any more. */
export function standaloneFacts(batch: Live<Batch>, ended: boolean): BatchFacts {
  const accepted = { reason: 'Checked', message: 'The spec of the standalone run was checked.' };
  const pendingCreates = batch.spec.cancel;
  return { ...batchFacts(batch), accepted: pendingCreates ? null : accepted, ended };
}
