import { describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { attemptState, type AttemptState } from './attempt-state.ts';
import { aPod, aReport, terminatedState, runningState, waitingState, type PodBuilder } from './pod.fixture.ts';

const say = (change: Partial<OutcomeMessage> = {}): string => JSON.stringify(aReport(change));
const down = (
  pod: PodBuilder,
  harness: Parameters<typeof terminatedState>[1],
  recorder: Parameters<typeof terminatedState>[1] = {},
): PodBuilder =>
  pod
    .on('node-1')
    .container('recorder', terminatedState(45, recorder))
    .container('browser', terminatedState(44, { exitCode: 143 }))
    .container('harness', terminatedState(43, harness));

function result(view: AttemptState): string {
  if (view.state !== 'Ended') return view.state;
  return `${view.result.outcome}/${view.result.reason}${view.released ? '' : ' (still acting)'}`;
}

describe('the attempt of a live pod', () => {
  it.each<[string, PodBuilder, string]>([
    ['nothing reported yet', aPod(), 'Pending'],
    [
      'images are being pulled',
      aPod().on('node-1').container('recorder', waitingState('ContainerCreating')),
      'Pending',
    ],
    [
      'recorder is running, browser not armed',
      aPod().on('node-1').container('recorder', runningState(2)).container('browser', runningState(3)),
      'Starting',
    ],
    ['harness is running', aPod().working(), 'Running'],
    [
      'harness ended without a message, recorder still finalising',
      aPod()
        .on('n')
        .container('recorder', runningState(2))
        .container('harness', terminatedState(43, { exitCode: 137 })),
      'Running',
    ],
    [
      'the phase alone says nothing: harness is running in a pod that is Pending',
      aPod().working().phase('Pending'),
      'Running',
    ],
  ])('%s', (_name, pod, expected) => {
    expect(result(attemptState(pod.build()))).toBe(expected);
  });
});

describe('the attempt of a pod that has ended', () => {
  it.each<[string, PodBuilder, string]>([
    ['the harness reports, everything has stopped', down(aPod(), { message: say() }), 'Failed/AgentExited'],
    [
      'the harness reports while sidecars are still stopping',
      aPod()
        .on('n')
        .container('recorder', runningState(2))
        .container(
          'harness',
          terminatedState(43, { message: say({ outcome: 'Passed', reason: 'Intercepted', intercepted: true }) }),
        ),
      'Passed/Intercepted (still acting)',
    ],
    [
      'only the recorder could report',
      down(aPod(), { exitCode: 137 }, { message: say({ outcome: 'TimedOut', reason: 'AgentIdle' }) }),
      'TimedOut/AgentIdle',
    ],
    ['a truncated message is ignored', down(aPod(), { message: say().slice(0, 200) }), 'Infrastructure/PodFailed'],
    ['a message of another program is ignored', down(aPod(), { message: 'boom' }), 'Infrastructure/PodFailed'],
    [
      'cgroup v2: the container was killed for memory',
      down(aPod(), { exitCode: 137, reason: 'OOMKilled' }),
      'Infrastructure/OutOfMemory',
    ],
    [
      'cgroup v1: only the agent was killed, the shim reports and the pod is Succeeded',
      down(aPod(), { reason: 'OOMKilled', message: say({ outcome: 'Infrastructure' }) }).phase('Succeeded'),
      'Infrastructure/OutOfMemory',
    ],
    [
      'cgroup v1: a child of the agent was killed, and the agent exited by itself and claimed the run',
      down(aPod(), { reason: 'OOMKilled', message: say() }).phase('Succeeded'),
      'Failed/AgentExited',
    ],
    [
      'the agent was killed, but not for memory: it did that itself',
      down(aPod(), { message: say({ outcome: 'Infrastructure' }) }).phase('Succeeded'),
      'Failed/AgentExited',
    ],
    ...(['PodDeleted', 'CancelledByUser', 'PodFailed'] as const).map((reason): [string, PodBuilder, string] => [
      `the agent reported ${reason} itself, and nothing stopped the pod`,
      down(aPod(), { message: say({ outcome: 'Infrastructure', reason }) }).phase('Succeeded'),
      'Failed/AgentExited',
    ]),
    [
      'the pod was deleted, as the recorder reports',
      down(aPod().deleted(38, 30), { message: say({ outcome: 'Infrastructure', reason: 'PodDeleted' }) }),
      'Infrastructure/PodDeleted',
    ],
    [
      'the kubelet evicted it, as the recorder noticed',
      down(aPod(), { message: say({ outcome: 'Infrastructure', reason: 'PodDeleted' }) }).phase(
        'Failed',
        'Evicted',
        'x',
      ),
      'Infrastructure/PodDeleted',
    ],
    [
      'the agent wrote the termination message itself and killed the shim',
      down(aPod(), { exitCode: 2, message: say({ outcome: 'Passed', reason: 'Intercepted', intercepted: true }) }),
      'Infrastructure/PodFailed',
    ],
    [
      'the same, and the recorder was there to see it: nothing stopped the pod',
      down(
        aPod(),
        { exitCode: 2, message: say({ outcome: 'Passed', reason: 'Intercepted', intercepted: true }) },
        { message: say({ outcome: 'Infrastructure', reason: 'PodDeleted' }) },
      ),
      'Failed/AgentExited',
    ],
    [
      'an OOM kill after an interception changes nothing',
      down(aPod(), {
        reason: 'OOMKilled',
        message: say({ outcome: 'JudgePending', reason: 'Intercepted', intercepted: true }),
      }),
      'JudgePending/Intercepted',
    ],
    [
      'evicted by the kubelet, no container status left',
      aPod().on('n').phase('Failed', 'Evicted', 'The node was low on resource: memory.'),
      'Infrastructure/Evicted',
    ],
    [
      'evicted for its own disk usage',
      aPod()
        .on('n')
        .phase('Failed', 'Evicted', 'Pod ephemeral local storage usage exceeds the total limit of containers 4Gi.'),
      'Infrastructure/DiskFull',
    ],
    [
      'evicted by API while the agent worked: an agent that exited has no result',
      down(aPod().deleted(35, 30).condition('DisruptionTarget', 'True', 'EvictionByEvictionAPI', 'drain'), {
        message: say(),
      }),
      'Infrastructure/Evicted',
    ],
    [
      'deleted by a user while the agent worked',
      down(aPod().deleted(38, 30), { message: say() }),
      'Infrastructure/PodDeleted',
    ],
    [
      'deleted after the agent had ended: its result counts',
      down(aPod().deleted(60, 30), { message: say() }),
      'Failed/AgentExited',
    ],
    [
      'the node went away',
      aPod().working().phase('Failed').condition('DisruptionTarget', 'True', 'DeletionByPodGC'),
      'Infrastructure/NodeLost',
    ],
    [
      'the harness has no such program',
      down(aPod(), { exitCode: 128, reason: 'StartError', message: 'exec: no such file' }),
      'Infrastructure/HarnessStartFailed',
    ],
    [
      'the recorder died once',
      aPod()
        .on('n')
        .container('recorder', terminatedState(45, { exitCode: 1 }), {
          restartCount: 1,
          lastState: terminatedState(20, { exitCode: 139 }),
        })
        .container('harness', terminatedState(43, { exitCode: 1 }))
        .phase('Failed'),
      'Infrastructure/RecorderRestarted',
    ],
    [
      'stopped by the operator before it was armed',
      down(aPod().stopped('SetupTimeout', 'Not armed after 120 s.'), { exitCode: 137 }).phase(
        'Failed',
        'DeadlineExceeded',
      ),
      'Infrastructure/SetupTimeout',
    ],
    [
      'stopped by the operator although the run was claimed meanwhile',
      down(aPod().stopped('SetupTimeout', 'Not armed.'), {
        message: say({ times: { ...aReport().times, agentStarted: null } }),
      }),
      'Failed/AgentExited',
    ],
    [
      'stopped by the operator as not armed, but it was armed by then',
      down(aPod().stopped('SetupTimeout', 'Not armed.'), {
        message: say({
          outcome: 'Infrastructure',
          reason: 'PodDeleted',
          evidence: 'Partial',
          times: { ...aReport().times, agentStarted: null },
        }),
      }),
      'Infrastructure/AgentStartTimeout',
    ],
    [
      'stopped by the operator for want of an agent, but it had one by then',
      down(aPod().stopped('AgentStartTimeout', 'No agent.'), {
        message: say({ outcome: 'Infrastructure', reason: 'PodDeleted', evidence: 'Partial' }),
      }),
      'Infrastructure/InternalError',
    ],
    [
      'cancelled by the user',
      down(aPod().stopped('CancelledByUser', 'Cancelled.'), { message: say() }).phase('Failed', 'DeadlineExceeded'),
      'Cancelled/CancelledByUser',
    ],
    [
      'cancelled just after an interception: the interception counts',
      down(aPod().stopped('CancelledByUser', 'Cancelled.'), {
        message: say({ outcome: 'JudgePending', reason: 'Intercepted', intercepted: true }),
      }),
      'JudgePending/Intercepted',
    ],
    [
      'the operator knows better than the recorder why no agent started',
      down(
        aPod().stopped('ImagePullFailed', 'The image x cannot be pulled.'),
        {},
        { message: say({ outcome: 'Infrastructure', reason: 'AgentStartTimeout' }) },
      ),
      'Infrastructure/ImagePullFailed',
    ],
    [
      'the recorder knows better than the operator why it was never armed',
      down(
        aPod().stopped('SetupTimeout', 'Not armed.'),
        {},
        { message: say({ outcome: 'Infrastructure', reason: 'IsolationUnavailable' }) },
      ),
      'Infrastructure/IsolationUnavailable',
    ],
  ])('%s', (_name, pod, expected) => {
    expect(result(attemptState(pod.build()))).toBe(expected);
  });

  it('a pod that is gone', () => {
    expect(result(attemptState(null))).toBe('Infrastructure/PodDeleted');
  });
});
