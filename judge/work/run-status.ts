import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { API_VERSION, JUDGE_FIELD_MANAGER, RUN_KIND } from '../../crds/group.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import type { Resource } from '../../kube/resource.ts';
import type { RunObject } from '../kinds.ts';
import type { RunVerdicts } from './judge-run.ts';

/**
 * Applies what the judge owns of a run's status: `verdicts` and `closed`, both in every call, since server-side apply
 * removes what a manager no longer names. A run that is gone, or a namesake made since, is left alone.
 */
export async function applyRunStatus(runs: Resource<RunObject>, row: JudgeRow, verdicts: RunVerdicts): Promise<void> {
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
