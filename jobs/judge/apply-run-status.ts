import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { API_VERSION, JUDGE_FIELD_MANAGER, RUN_KIND } from '../../crds/group.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import type { Resource } from '../../kube/resource.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import type { VerdictFiles } from '../../judging/run/judge-run.ts';
import { textOf, type StoredJson } from '../../judging/bundle/stored-json.ts';

/** A run's verdicts by rubric, in the form of `status.verdicts`. */
export type RunVerdicts = Readonly<
  Partial<Record<Rubric, { readonly match: boolean | null; readonly reason: string }>>
>;

/** The status's view of verdict files: match, and the reason truncated to 300 characters. */
export function runVerdicts(files: VerdictFiles): RunVerdicts {
  const entries = Object.entries(files).map(([rubric, file]) => [
    rubric,
    { match: verdictMatch(file), reason: reasonOf(file) },
  ]);
  return Object.fromEntries(entries) as RunVerdicts;
}

/** An agentic verdict says when there was no human session to compare with; the other rubrics never compare with one. */
function reasonOf(file: StoredJson): string {
  const said = textOf(file['reason']) || textOf(file['error']);
  const reason = said.slice(0, 300);
  return file['reference'] === null ? `${reason} (Judged without a human reference.)`.trimStart() : reason;
}

/**
 * Applies the fields of a run's status that the judge owns: `verdicts` and `closed`, both in every call, because
 * server-side apply removes fields that a manager no longer sets. A run that was deleted, or deleted and created again, is
 * left alone.
 */
export async function applyRunStatus(runs: Resource<Run>, row: JudgeRow, verdicts: RunVerdicts): Promise<void> {
  const object = {
    apiVersion: API_VERSION,
    kind: RUN_KIND,
    metadata: { name: row.run },
    status: { verdicts, closed: { prefix: row.prefix, time: new Date().toISOString() } },
  };
  try {
    await runs.apply(object, { fieldManager: JUDGE_FIELD_MANAGER, force: true, subresource: 'status', uid: row.uid });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
