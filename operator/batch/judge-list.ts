import { createHash } from 'node:crypto';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { askedRubrics, type JudgeSpec } from '../../crds/blocks/judge.ts';
import { caseOf } from '../../crds/run-as-batch.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';
import { outcomeBeforeVerdict } from '../run/outcome-before-verdict.ts';
import { awaitsVerdict, rubricsOf } from '../run/verdict.ts';
import { parseTime } from '../timestamps.ts';

/**
 * Identifies what verdicts depend on: another model, rubric or reference prefix gives another hash, and existing
 * verdicts are made again. The Secret is not part of it: a verdict names its model, and the Job keeps those of the same
 * name.
 */
export function verdictInputsHash(judge: JudgeSpec | undefined): string {
  if (judge === undefined) return 'none';
  const { model, passRubric, agentic } = judge;
  const rubrics = askedRubrics(judge);
  const references = rubrics.includes('Agentic') ? [agentic.referencePrefix] : [];
  const parts = JSON.stringify([model, [...rubrics].sort(), passRubric, ...references]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 16);
}

export interface ListInput {
  readonly runs: readonly Live<Run>[];
  readonly judge: JudgeSpec | undefined;
  /** All verdicts are from another judge: judge everything again that has one. */
  readonly again: boolean;
}

export interface JudgeList {
  readonly judge: readonly JudgeRow[];
  readonly promote: readonly JudgeRow[];
  /** When the first run of `judge` ended, milliseconds since the epoch; null when none waits. */
  readonly waitingSince: number | null;
}

/**
 * Runs for the next judge Job, in the given order: those that wait for a verdict, and those that are closed without
 * one.
 */
export function judgeList({ runs, judge, again }: ListInput): JudgeList {
  const rubrics = askedRubrics(judge);
  const waits = (run: Run): boolean => {
    const status = run.status ?? {};
    return again ? rubricsOf(status, rubrics).length > 0 : awaitsVerdict(status, { rubrics });
  };
  const waiting = runs.filter(waits);
  const ends = waiting.map(({ status }) => parseTime(status?.attempts?.at(-1)?.times?.ended) ?? 0);
  return {
    judge: waiting.map((run) => judgeRowOf(run, 'Judge')),
    waitingSince: ends.length === 0 ? null : Math.min(...ends),
    promote: runs.filter((run) => !waits(run) && mustPromote(run)).map((run) => judgeRowOf(run, 'Promote')),
  };
}

/**
 * Its recorder wrote no run-meta, because the run was to be retried or the recorder died. A cancelled run is not closed
 * by a result. Where there is a claim, its owner has written (or will write) the only run-meta of that prefix.
 */
function mustPromote({ status = {} }: Run): boolean {
  if (status.phase !== 'Complete' || status.closed !== undefined) return false;
  if (status.outcome === 'Cancelled' || status.reason === 'ClaimedByOther') return false;
  // Reported as an infrastructure failure and found to be caused by the agent: its recorder left the run open.
  const reopened = status.attempts?.at(-1)?.reportedOutcome === 'Infrastructure';
  return status.outcome === 'Infrastructure' || status.evidence !== 'Complete' || reopened;
}

function judgeRowOf(run: Live<Run>, action: 'Judge' | 'Promote'): JudgeRow {
  const { status = {}, spec } = run;
  // For an intercepted request the verdict alone is the outcome. Every other bundle says how its agent ended.
  const { outcome = '', reason = '' } = { ...status, ...outcomeBeforeVerdict(status) };
  const ended = action === 'Judge' && status.intercepted === true ? {} : { outcome, reason };
  return {
    run: run.metadata.name,
    uid: run.metadata.uid,
    action,
    prefix: countingPrefix(status),
    model: spec.model,
    harness: spec.harness.name,
    case: caseOf(run),
    repetition: spec.repetition,
    ...ended,
  };
}

/** Prefix of the attempt that counts: the last one. */
function countingPrefix(status: ClawBenchRunStatus): string {
  return status.attempts?.at(-1)?.prefix ?? '';
}
