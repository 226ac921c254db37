import { createHash } from 'node:crypto';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import type { Judge } from '../../crds/blocks/judge.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Live } from '../../kube/object.ts';
import type { Run } from '../kinds.ts';
import { awaitsVerdict, isJudged } from '../run/verdict.ts';

/** Identifies what verdicts were made by: another model or rubric is another hash, and what exists is judged again. */
export function judgeHash(judge: Judge | undefined): string {
  if (judge === undefined) return 'none';
  const { model, rubrics, passRubric, modelsSecretRef } = judge;
  const parts = JSON.stringify([model, [...rubrics].sort(), passRubric, modelsSecretRef.name, modelsSecretRef.key]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 16);
}

export interface ListInput {
  readonly runs: readonly Live<Run>[];
  readonly judge: Judge | undefined;
  /** All verdicts belong to another judge: ask again for every interception. */
  readonly again: boolean;
}

/** Runs for the next judge Job: what waits for a verdict, and what must be closed without one. In the given order. */
export function judgeList({ runs, judge, again }: ListInput): { judge: JudgeRow[]; promote: JudgeRow[] } {
  const rubrics = judge?.rubrics ?? [];
  const waits = (run: Run): boolean => {
    const status = run.status ?? {};
    return judge !== undefined && (again ? isJudged(status) : awaitsVerdict(status, { rubrics }));
  };
  return {
    judge: runs.filter(waits).map((run) => judgeRowOf(run, 'Judge')),
    promote: runs.filter((run) => !waits(run) && mustPromote(run)).map((run) => judgeRowOf(run, 'Promote')),
  };
}

/** Its recorder wrote no run-meta: it was to be tried again, or died. A cancelled run is not closed by a result. */
function mustPromote({ status = {} }: Run): boolean {
  if (status.phase !== 'Complete' || status.closed !== undefined || status.outcome === 'Cancelled') return false;
  return status.outcome === 'Infrastructure' || status.evidence !== 'Complete';
}

function judgeRowOf(run: Live<Run>, action: 'Judge' | 'Promote'): JudgeRow {
  const { status = {}, spec } = run;
  const ended = action === 'Judge' ? {} : { outcome: status.outcome ?? '', reason: status.reason ?? '' };
  return {
    run: run.metadata.name,
    uid: run.metadata.uid,
    action,
    prefix: countingPrefix(status),
    model: spec.model,
    harness: spec.harness.name,
    case: spec.task.ref?.case ?? '',
    repetition: spec.repetition,
    ...ended,
  };
}

/** Where the attempt that counts lies: the last one. */
function countingPrefix(status: ClawBenchRunStatus): string {
  return status.attempts?.at(-1)?.prefix ?? '';
}
