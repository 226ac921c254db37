import { createHash } from 'node:crypto';
import type { JudgeSpec } from '../../crds/blocks/judge.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { parseTime, rfc3339 } from '../timestamps.ts';

export type JudgeStatus = NonNullable<ClawBenchBatchStatus['judge']>;

export interface JudgeRound {
  readonly judge: JudgeStatus | undefined;
  /** The round is over: no Job is started on its own, however many verdicts are missing. */
  readonly roundOver: boolean;
  /** When `spec.judge` was changed for this round, milliseconds since the epoch; 0 in the first round. */
  readonly since: number;
}

/**
 * Hash of the whole of `spec.judge`, which is more than what verdicts depend on: a user who has topped up a provider
 * account changes anything in it (for example `workers`) to have the judge called again.
 */
export function judgeBlockHash(judge: JudgeSpec | undefined): string {
  return createHash('sha256').update(stable(judge)).digest('hex').slice(0, 16);
}

/** With sorted keys, because the API server may return them in another order. */
function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'none';
  const entries = Object.entries(value).filter((entry) => entry[1] !== undefined);
  return `{${entries
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, one]) => `${key}:${stable(one)}`)
    .join()}}`;
}

/**
 * Judging happens in rounds. The first ends when the batch completes, whether or not every verdict came: otherwise a
 * judge that never answers would cost a Job every ten minutes for ever. Only a change of `spec.judge` starts the next
 * round, immediately and with the same time limit.
 * @param ended the batch is complete, as written.
 */
export function roundOf(judge: JudgeStatus | undefined, ended: boolean, hash: string, now: number): JudgeRound {
  const since = parseTime(judge?.againTime) ?? 0;
  if (!ended) return { judge, roundOver: false, since };
  if ((judge?.endHash ?? hash) === hash) return { judge, roundOver: true, since };
  const next = { number: 0, ...judge, endHash: hash, againTime: rfc3339(now), failures: 0, retryTime: undefined };
  return { judge: next, roundOver: false, since: now };
}

/** The judge's status at the end of a round. */
export function endRound(judge: JudgeStatus | undefined, hash: string): JudgeStatus {
  return { number: 0, ...judge, endHash: hash };
}
