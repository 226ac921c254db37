import { describe, expect, it } from 'vitest';
import type { Job } from '../../kube/kinds.ts';
import { aPod, terminatedState, runningState, T0, waitingState, type PodBuilder } from '../pod/pod.fixture.ts';
import { jobState } from './job-state.ts';

const job = (conditions: { type: string; status: string; reason?: string }[] = []): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', creationTimestamp: '2026-01-01T00:00:00Z' },
  status: { conditions },
});
const overdue = { activeDeadlineSeconds: 900, template: {} } as NonNullable<Job['spec']>;
const parse = (value: unknown): number | null => {
  const found = (value as { answer?: unknown }).answer;
  return typeof found === 'number' ? found : null;
};
const view = (one: Job | null, pod: PodBuilder | null, second = 60): string => {
  const seen = jobState(one, pod?.build() ?? null, parse, T0 + second * 1000);
  if (seen.state === 'Done') return `Done ${String(seen.message)}`;
  return seen.state === 'Failed' ? `Failed: ${seen.message}` : `Active: ${seen.waiting ?? 'works'}`;
};

describe('the state of a Job', () => {
  it.each<[string, string, string]>([
    ['gone', view(null, null), 'Failed: The Job was deleted before it reported a result.'],
    ['just created', view(job(), null), 'Active: The pod has not been created yet.'],
    [
      'no image',
      view(job(), aPod().on('n').container('main', waitingState('ErrImagePull', 'no such image'))),
      'Active: The image main:1 of container main cannot be pulled on n: ErrImagePull, no such image.',
    ],
    ['running', view(job(), aPod().on('n').container('main', runningState(1))), 'Active: works'],
    [
      'has reported',
      view(
        job(),
        aPod()
          .on('n')
          .container('main', terminatedState(2, { message: '{"answer":42}' })),
      ),
      'Done 42',
    ],
    [
      'the message counts, whatever the exit code',
      view(
        job(),
        aPod()
          .on('n')
          .container('main', terminatedState(2, { exitCode: 1, message: '{"answer":1}' })),
      ),
      'Done 1',
    ],
    [
      'died',
      view(
        job(),
        aPod()
          .on('n')
          .container('main', terminatedState(2, { exitCode: 1, reason: 'Error' })),
      ),
      "Failed: The Job's program exited with code 1 and no message: Error.",
    ],
    [
      'out of memory',
      view(
        job(),
        aPod()
          .on('n')
          .container('main', terminatedState(2, { exitCode: 137, reason: 'OOMKilled' })),
      ),
      'Failed: Container main ran out of memory: raise its limit in spec.podTemplate.',
    ],
    [
      'a message of another shape',
      view(
        job(),
        aPod()
          .on('n')
          .container('main', terminatedState(2, { message: '{"ok":true}' })),
      ),
      'Failed: The Job\'s program exited with code 0 and no message: {"ok":true}.',
    ],
    [
      'finished, and its pod is gone',
      view(job([{ type: 'Complete', status: 'True', reason: 'Done' }]), null),
      "Failed: The Job's pod is gone: Done.",
    ],
    [
      'evicted',
      view(job(), aPod().on('n').phase('Failed', 'Evicted', 'low on memory')),
      'Failed: The cluster removed the pod (Evicted): low on memory.',
    ],
  ])('%s', (_name, seen, expected) => {
    expect(seen).toBe(expected);
  });

  const onLostNode = (): PodBuilder => aPod().on('n').container('main', runningState(1)).deleted(100, 30);
  it.each<[string, string, string]>([
    ['asked to stop, within its grace period', view(job(), onLostNode(), 159), 'Active: works'],
    [
      'asked to stop, and its node does not respond',
      view(job(), onLostNode(), 160),
      "Failed: Node n does not respond: the Job's pod was asked to stop and did not.",
    ],
    [
      'disrupted, and nothing follows',
      view(job(), aPod().on('n').container('main', runningState(1)).condition('DisruptionTarget', 'True', 'x'), 110),
      "Failed: Node n does not respond: the Job's pod was asked to stop and did not.",
    ],
    [
      'reported as lost by the cluster',
      view(job(), aPod().on('n').container('main', runningState(1)).phase('Running', 'NodeLost')),
      "Failed: Node n does not respond: the Job's pod was asked to stop and did not.",
    ],
    [
      'too slow, its pod still stopping',
      view(
        { ...job([{ type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded' }]), spec: overdue },
        aPod()
          .on('n')
          .container('main', terminatedState(2, { exitCode: 143 })),
      ),
      'Failed: The Job did not finish within 900 s; the next one continues with what is missing.',
    ],
    [
      'too slow, but it has reported',
      view(
        { ...job([{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }]), spec: overdue },
        aPod()
          .on('n')
          .container('main', terminatedState(2, { message: '{"answer":7}' })),
      ),
      'Done 7',
    ],
  ])('%s', (_name, seen, expected) => {
    expect(seen).toBe(expected);
  });

  it('says when to check it again', () => {
    expect(jobState(job(), onLostNode().build(), parse, T0)).toMatchObject({ lostAt: T0 + 160_000 });
  });
});
