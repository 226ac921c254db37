import { compileTarget } from '../../benchmark/request/predicate.ts';
import { normalizeExtraInfo } from '../../benchmark/task/extra-info.ts';
import { taskTextProblem } from '../../benchmark/task/task-limits.ts';
import { taskFromJson, type Task } from '../../benchmark/task/task.ts';
import { sha256Hex } from '../../benchmark/text/sha256.ts';
import { taskMapName } from '../../crds/run-as-batch.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { ConfigMap } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import { commonLabels } from '../labels.ts';

/** The API server rejects a ConfigMap with more than 1 MiB of data. */
const MAX_BYTES = 1_000_000;

export interface InlineTask {
  /** The task file as the recorder and the judge read it. */
  readonly text: string;
  /** Hex, of the text. */
  readonly sha256: string;
  /** Null: the task cannot be run. */
  readonly task: Task | null;
  /** Why it cannot be run: one sentence that names the field. Null: it can. */
  readonly problem: string | null;
}

/** Reads `spec.task.inline` as a task file is read. */
export function readInlineTask(inline: Readonly<Record<string, unknown>>): InlineTask {
  const text = `${JSON.stringify(inline, null, 2)}\n`;
  const sha256 = sha256Hex(text);
  try {
    const task = taskFromJson(inline);
    compileTarget(task.evalSchema);
    return { text, sha256, task, problem: limits(text, task) };
  } catch (error) {
    return { text, sha256, task: null, problem: `spec.task.inline: ${(error as Error).message}.` };
  }
}

function limits(text: string, task: Task): string | null {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    return 'spec.task.inline is larger than 1 MB; store the task in a suite and refer to it in spec.task.ref.';
  }
  const file = normalizeExtraInfo(task.extraInfo).entries.find((entry) => entry.path !== undefined)?.path;
  const limit = file === undefined ? taskTextProblem(task, new Map()) : null;
  if (limit !== null) return `spec.task.inline: ${limit.message}.`;
  if (file === undefined) return null;
  return `spec.task.inline: extra_info names the file ${file}, but an inline task has no files; store the task in a suite and refer to it in spec.task.ref.`;
}

/**
 * The ConfigMap that brings an inline task to the recorder and the judge, mounted where the suite would be: a suite of
 * plain files with one case, named after the run. Not an environment variable of the recorder, which holds 128 KiB.
 */
export function buildTaskMap(run: Live<Run>, text: string): New<ConfigMap> {
  const { name, namespace = '' } = run.metadata;
  return {
    metadata: { name: taskMapName(name), namespace, labels: commonLabels('run', name) },
    immutable: true,
    data: { [`${name}.json`]: text },
  };
}
