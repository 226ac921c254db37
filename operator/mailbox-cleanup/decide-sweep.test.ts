import { describe, expect, it } from 'vitest';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Job } from '../../kube/kinds.ts';
import { aPod } from '../pod/pod.fixture.ts';
import { decideSweep, type SweepFacts } from './decide-sweep.ts';
import { A_JOB } from './sweep-job.fixture.ts';

describe('the sweep Job of an attempt', () => {
  const over = { number: 2, podName: 'p', outcome: 'Infrastructure' } as const;
  const status = (change: ClawBenchRunStatus): ClawBenchRunStatus => ({ attempt: 2, attempts: [], ...change });
  const works = aPod().named('p', 2).working();
  const facts: SweepFacts = { job: A_JOB, attempt: 2, run: status({ attempts: [over] }), pod: null, now: 0 };
  const ended = (type: string): Job => ({ ...A_JOB, status: { conditions: [{ type, status: 'True', message: 'm' }] } });
  const released = { ...A_JOB, spec: { ...A_JOB.spec, suspend: false } } as Job;
  const lost = aPod().named('p', 2).working().deleted(0, 30).build();
  const goneAt = Date.parse(lost.metadata.deletionTimestamp ?? '');
  it.each<[string, Partial<SweepFacts>, string]>([
    ['its attempt has ended and left no pod', {}, 'resume'],
    ['its attempt is still to come', { run: status({ attempt: 1 }) }, 'wait'],
    ['its attempt is in progress', { run: status({ attempts: [{ number: 2, podName: 'p' }] }) }, 'wait'],
    ['its attempt is older than what the status keeps', { run: status({ attempt: 9 }) }, 'resume'],
    [
      'its run was cancelled before the attempt started',
      { run: status({ attempt: 1, outcome: 'Cancelled' }) },
      'resume',
    ],
    ['its run is gone', { run: null }, 'resume'],
    ['its run is gone but the pod is not', { run: null, pod: works.build() }, 'wait'],
    ['its pod has ended', { run: null, pod: aPod().named('p', 2).working().phase('Failed').build() }, 'resume'],
    ['its pod was asked to stop', { run: null, pod: lost, now: goneAt + 59_000 }, 'wait'],
    ['its pod should be gone and is on a lost node', { run: null, pod: lost, now: goneAt + 60_000 }, 'resume'],
    ['the Job is running', { job: released }, 'wait'],
    ['somebody else resumed it while its pod works', { job: released, run: null, pod: works.build() }, 'suspend'],
    ['somebody else resumed it before its attempt', { job: released, run: status({ attempt: 1 }) }, 'suspend'],
    ['it has succeeded', { job: ended('Complete') }, 'delete'],
    ['it has failed for good', { job: ended('Failed') }, 'reportFailure'],
    ['it is suspended, which is a condition too', { job: ended('Suspended') }, 'resume'],
  ])('%s', (_, change, expected) => expect(decideSweep({ ...facts, ...change }).do).toBe(expected));
});
