import { describe, expect, it } from 'vitest';
import { statusMessage } from '../status-message.ts';
import { pendingReason } from './pending-reason.ts';
import { aPod, waitingState, type PodBuilder } from './pod.fixture.ts';

describe('why a pod is pending', () => {
  it.each<[PodBuilder, string]>([
    [aPod(), 'Waiting for the scheduler.'],
    [
      aPod().condition('PodScheduled', 'False', 'SchedulingGated', 'gated'),
      'The pod waits in a queue: it has a scheduling gate.',
    ],
    [
      aPod().condition('PodScheduled', 'False', 'Unschedulable', '0/1 nodes are available: 1 Insufficient memory.'),
      'The pod cannot be scheduled: 0/1 nodes are available: 1 Insufficient memory.',
    ],
    [aPod().on('node-1'), 'Waiting for the kubelet on node-1.'],
    [
      aPod()
        .on('node-1')
        .container('recorder', waitingState('PodInitializing'))
        .container('harness', waitingState('ImagePullBackOff', 'Back-off pulling image')),
      'The image harness:1 of container harness cannot be pulled on node-1: ImagePullBackOff, Back-off pulling image.',
    ],
    [
      aPod().on('node-1').container('recorder', waitingState('CreateContainerConfigError', 'secret "s3" not found')),
      'Container recorder cannot be created on node-1: CreateContainerConfigError, secret "s3" not found.',
    ],
    [
      aPod().on('node-1').container('shim', waitingState('PodInitializing')),
      'Container shim is starting on node-1 (volumes, sandbox, image).',
    ],
  ])('%#', (pod, expected) => {
    expect(pendingReason(pod.build()).message).toBe(expected);
  });

  it('a missing seccomp profile comes with its remedy', () => {
    const pod = aPod()
      .on('n')
      .container(
        'browser',
        waitingState('CreateContainerError', 'cannot load seccomp profile "/var/lib/kubelet/seccomp/x.json"'),
      );
    const why = pendingReason(pod.build());
    expect(why.reason).toBe('IsolationUnavailable');
    expect(why.message).toMatch(/Install the seccomp profile .*DoorOnly/);
  });

  it('only a scheduling gate stops the clock', () => {
    expect(pendingReason(aPod().condition('PodScheduled', 'False', 'SchedulingGated').build()).gated).toBe(true);
    expect(pendingReason(aPod().condition('PodScheduled', 'False', 'Unschedulable').build()).gated).toBe(false);
  });

  it('makes one short line of whatever the cluster reports', () => {
    expect(statusMessage(' a\n b ')).toBe('a b.');
    expect(statusMessage('x'.repeat(1000))).toHaveLength(298);
  });
});
