import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Attempt, ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Live } from '../../kube/object.ts';
import type { Cluster } from '../cluster.ts';
import type { Run } from '../kinds.ts';
import { tellRun } from './tell.ts';

const run = (status: ClawBenchRunStatus): Live<Run> => ({ metadata: { name: 'r' }, spec: {}, status }) as Live<Run>;

/** The events of this change of a run. */
function events(before: ClawBenchRunStatus, after: ClawBenchRunStatus): string[] {
  const told: string[] = [];
  const cluster = {
    log: pino({ level: 'silent' }),
    events: {
      event: (_run: unknown, _type: string, reason: string, message: string) => told.push(`${reason}: ${message}`),
    },
    metrics: { outcome: () => undefined },
  } as unknown as Cluster;
  tellRun(cluster, run(before), run(after), 'suite');
  return told;
}

const failed = { outcome: 'Infrastructure', reason: 'Evicted', message: 'The node was drained.' } as const;
const first: Attempt = { number: 1, podName: 'r-a1', ...failed };
const under: Attempt = { number: 2, podName: 'r-a2' };

describe('events', () => {
  it('name the attempt that failed, once', () => {
    const open: ClawBenchRunStatus = { attempt: 1, attempts: [{ number: 1, podName: 'r-a1' }] };
    const closed: ClawBenchRunStatus = { attempt: 1, attempts: [first] };
    expect(events(open, closed)).toEqual(['Evicted: Attempt 1: The node was drained.']);
    expect(events(closed, { ...closed, attempt: 2, attempts: [first, under] })).toEqual([]);
  });
  it('do not call an attempt failed that found what an earlier one had come to', () => {
    const before: ClawBenchRunStatus = { attempt: 2, attempts: [first, under] };
    const after: ClawBenchRunStatus = {
      attempt: 2,
      phase: 'Complete',
      ...failed,
      attempts: [first, { ...under, ...failed, claimedByAttempt: 1 }],
    };
    expect(events(before, after)).toEqual(['Infrastructure: The node was drained.']);
  });
});
