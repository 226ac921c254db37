import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { runPrefix } from '../../benchmark/protocol/names.ts';
import { runConfig, type RunConfig } from '../../benchmark/protocol/run-config.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import type { Images } from '../config.ts';
import { harnessImage, usesModel } from '../harnesses.ts';
import { capsInFull } from './caps.ts';

/** A run's task, and its index in the batch's task list. */
export interface TaskEntry {
  readonly case: string;
  /** Hex; null: any task of that name in the suite (a standalone run need not say). */
  readonly sha256: string | null;
  /** Null: unknown here, because the operator opens no archive. The recorder knows it. */
  readonly timeLimitSeconds: number | null;
  /** 0-based. */
  readonly index: number;
}

/** The run's task; null when the list has no such case (the run is not in this batch's plan). */
export function taskEntryOf(run: Run, tasks: readonly TaskRow[]): TaskEntry | null {
  const { ref } = run.spec.task;
  const index = tasks.findIndex((row) => row.case === ref?.case);
  const row = tasks[index];
  if (row === undefined) return null;
  return { case: row.case, sha256: ref?.sha256 ?? row.sha256, timeLimitSeconds: row.timeLimitSeconds, index };
}

/** Key prefix of the run below the store's prefix, without a trailing slash. */
export function runPrefixOf(run: Run, batch: string, taskEntry: TaskEntry): string {
  const { model, harness, repetition } = run.spec;
  const own = run.spec.batchRef === undefined ? { run: run.metadata.name } : {};
  return runPrefix({
    batch,
    task: taskEntry.case,
    model,
    harness: harness.name,
    repetition,
    place: taskEntry.index,
    ...own,
  });
}

/** Settings of the recorder of one attempt. */
export function runConfigOf(
  run: Live<Run>,
  batch: Live<Batch>,
  attempt: { taskEntry: TaskEntry; number: number },
  images: Images,
): RunConfig {
  const { taskEntry } = attempt;
  const { spec } = batch;
  const { secretRef: _secret, ...s3 } = spec.artifacts.s3;
  const image = harnessImage(run.spec.harness, images) ?? '';
  return runConfig.parse({
    namespace: run.metadata.namespace,
    run: run.metadata.name,
    runUID: run.metadata.uid,
    batch: batch.metadata.name,
    batchUID: batch.metadata.uid,
    attempt: attempt.number,
    suite: spec.suite.name,
    suiteKey: spec.suite.s3?.prefix ?? null,
    caseName: taskEntry.case,
    taskSha256: taskEntry.sha256,
    model: run.spec.model,
    harness: run.spec.harness.name,
    harnessImage: image,
    modelGateway: usesModel(run.spec.harness),
    capsInFull: capsInFull(spec.budget, run.status?.usage),
    repetition: run.spec.repetition,
    runPrefix: runPrefixOf(run, batch.metadata.name, taskEntry),
    artifacts: { kind: 's3', s3 },
    deadlines: spec.deadlines,
    judged: spec.judge !== undefined,
    network: { allow: spec.network.allow, map: spec.network.map },
    browser: spec.browser,
    mail: { provider: spec.mail.provider },
    images: { recorder: images.recorder, browser: images.browser, harness: image },
  });
}
