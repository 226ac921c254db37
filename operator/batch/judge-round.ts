import { createHash } from 'node:crypto';
import type { JudgeSpec } from '../../crds/blocks/judge.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { parseTime, rfc3339 } from '../timestamps.ts';

export type JudgeStatus = NonNullable<ClawBenchBatchStatus['judge']>;

export interface JudgeRound {
  readonly judge: JudgeStatus | undefined;
  /** The end stands: no Job is started by itself, however many verdicts are missing. */
  readonly roundOver: boolean;
  /** When `spec.judge` was changed for this round, epoch ms; 0 in the first. */
  readonly since: number;
}

/**
 * Hash of all of `spec.judge`. More than what verdicts are made by: whoever has filled up a provider's account changes
 * anything in it (`workers`, say) to have it asked again.
 */
export function judgeBlockHash(judge: JudgeSpec | undefined): string {
  return createHash('sha256').update(stable(judge)).digest('hex').slice(0, 16);
}

/** Keys in order: the API server may give them in another. */
function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'none';
  const entries = Object.entries(value).filter((entry) => entry[1] !== undefined);
  return `{${entries
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, one]) => `${key}:${stable(one)}`)
    .join()}}`;
}

/**
 * Judging goes in rounds. The first ends with the batch, whether or not every verdict came: a judge that never answers
 * would else be paid a Job every ten minutes for ever. Only another `spec.judge` begins the next, at once and with as
 * long as the first.
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
