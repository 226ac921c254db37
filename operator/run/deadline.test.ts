import { describe, expect, it } from 'vitest';
import { deadlines } from '../../crds/blocks/limits.ts';
import { attemptState } from '../pod/attempt-state.ts';
import { aPod, aReport, terminatedState, runningState, T0, waitingState, type PodBuilder } from '../pod/pod.fixture.ts';
import type { StopRequest } from '../pod/stop-annotations.ts';
import type { Finalising } from '../progress/poll-progress.ts';
import { checkDeadlines, type DeadlineDecision } from './deadline.ts';

const limits = deadlines.parse({});
const CANCEL: StopRequest = { reason: 'CancelledByUser', message: 'Cancelled.' };

function decide(
  builder: PodBuilder,
  second: number,
  rest: { cancel?: StopRequest; finalising?: Finalising } = {},
): DeadlineDecision {
  const pod = builder.build();
  return checkDeadlines({
    pod,
    view: attemptState(pod),
    deadlines: limits,
    timeLimitSeconds: 60,
    cancel: null,
    finalising: null,
    now: T0 + second * 1000,
    ...rest,
  });
}
function words(decision: DeadlineDecision): string {
  if (decision.action === 'stop') return `${decision.how} ${decision.stopRequest.reason}`;
  return decision.action === 'none'
    ? decision.requeueAt === null
      ? 'no requeue'
      : `requeue at ${String((decision.requeueAt - T0) / 1000)}`
    : 'forceDelete';
}

const finalisingSince = (second: number): { finalising: Finalising } => ({
  finalising: { done: false, since: T0 + second * 1000 },
});
const DONE: Finalising = { done: true, since: T0 + 60_000 };

const starting = (): PodBuilder =>
  aPod().on('n').container('recorder', runningState(2)).container('browser', runningState(3));
const armed = (): PodBuilder =>
  aPod().on('n').container('recorder', runningState(2)).container('browser', runningState(3), { started: true });

describe('the deadlines of an attempt', () => {
  it.each<[string, DeadlineDecision, string]>([
    ['pending', decide(aPod().on('n'), 100), 'requeue at 1800'],
    ['pending too long on a node', decide(aPod().on('n'), 1800), 'patch PodStartTimeout'],
    [
      'no node, so no kubelet that could honour a patch',
      decide(aPod().condition('PodScheduled', 'False', 'Unschedulable', 'full'), 1800),
      'delete Unschedulable',
    ],
    [
      'a scheduling gate has no deadline',
      decide(aPod().condition('PodScheduled', 'False', 'SchedulingGated'), 1e6),
      'no requeue',
    ],
    [
      'the image',
      decide(aPod().on('n').container('recorder', waitingState('ErrImagePull')), 1800),
      'patch ImagePullFailed',
    ],
    ['setup', decide(starting(), 100), 'requeue at 137'],
    ['setup too long', decide(starting(), 137), 'patch SetupTimeout'],
    ['armed, the harness has its own time to start', decide(armed(), 137), 'requeue at 257'],
    [
      'the recorder is finalising, the kubelet shows no agent',
      decide(armed(), 60, finalisingSince(60)),
      'requeue at 442',
    ],
    ['the same before the kubelet shows it armed', decide(starting(), 60, finalisingSince(60)), 'requeue at 442'],
    [
      'the same before the kubelet shows even the recorder',
      decide(aPod().on('n'), 60, finalisingSince(60)),
      'requeue at 442',
    ],
    ['the recorder finalises for too long', decide(armed(), 442, finalisingSince(60)), 'patch InternalError'],
    ['the recorder is done, the kubelet shows no agent', decide(armed(), 60, { finalising: DONE }), 'requeue at 75'],
    ['the recorder is done and no agent started', decide(armed(), 75, { finalising: DONE }), 'patch AgentStartTimeout'],
    [
      'the recorder is done, the image of the harness is missing',
      decide(armed().container('harness', waitingState('ImagePullBackOff')), 75, { finalising: DONE }),
      'patch ImagePullFailed',
    ],
    [
      'the browser restarted while the recorder finalises',
      decide(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', runningState(9), { restartCount: 1 }),
        61,
        finalisingSince(60),
      ),
      'requeue at 442',
    ],
    [
      'the recorder finalises the evidence of an agent that ran',
      decide(aPod().working(), 60, finalisingSince(60)),
      'requeue at 614',
    ],
    [
      'the recorder gave up before it was armed, reported that, and waits idle in its second life',
      decide(
        aPod()
          .on('n')
          .container('recorder', runningState(30), {
            restartCount: 1,
            lastState: terminatedState(20, {
              message: JSON.stringify(
                aReport({ outcome: 'Infrastructure', reason: 'SelfTestFailed', message: 'It failed.' }),
              ),
            }),
          })
          .container('browser', runningState(3)),
        31,
      ),
      'patch SelfTestFailed',
    ],
    ['armed, no agent', decide(armed(), 257), 'patch AgentStartTimeout'],
    [
      'armed, the image of the harness is missing',
      decide(armed().container('harness', waitingState('ImagePullBackOff')), 257),
      'patch ImagePullFailed',
    ],
    [
      'no seccomp profile on the node',
      decide(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', waitingState('CreateContainerError', 'seccomp profile missing')),
        4,
      ),
      'patch IsolationUnavailable',
    ],
    ['working', decide(aPod().working(), 30), 'requeue at 614'],
    ['working without end', decide(aPod().working(), 614), 'patch InternalError'],
    ['cancelled while working', decide(aPod().working(), 30, { cancel: CANCEL }), 'patch CancelledByUser'],
    ['cancelled without a node', decide(aPod(), 1, { cancel: CANCEL }), 'delete CancelledByUser'],
    [
      'stopped, waiting for the end',
      decide(aPod().working().deleted(30, 400), 40, { cancel: CANCEL }),
      'requeue at 490',
    ],
    ['stopped, nothing happens on a lost node', decide(aPod().working().deleted(30, 400), 490), 'forceDelete'],
    [
      'over',
      decide(
        aPod()
          .on('n')
          .container('harness', terminatedState(9, { message: JSON.stringify(aReport()) }))
          .phase('Succeeded'),
        1e6,
        { cancel: CANCEL },
      ),
      'no requeue',
    ],
    [
      'the recorder died',
      decide(
        aPod()
          .on('n')
          .container('recorder', runningState(20), { restartCount: 1 })
          .container('harness', runningState(7)),
        30,
      ),
      'patch RecorderRestarted',
    ],
    [
      'the browser died before it was armed',
      decide(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', runningState(9), { restartCount: 1 }),
        30,
      ),
      'patch BrowserRestarted',
    ],
    [
      'the browser died while the agent worked: the recorder reports it',
      decide(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', runningState(9), { restartCount: 1 })
          .container('harness', runningState(7)),
        30,
      ),
      'requeue at 614',
    ],
  ])('%s', (_name, decision, expected) => {
    expect(words(decision)).toBe(expected);
  });
});
