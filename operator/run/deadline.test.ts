import { describe, expect, it } from 'vitest';
import { deadlines } from '../../crds/blocks/limits.ts';
import { attemptState } from '../pod/attempt-state.ts';
import { aPod, aReport, terminatedState, runningState, T0, waitingState, type PodBuilder } from '../pod/pod.fixture.ts';
import type { StopRequest } from '../pod/stop-annotations.ts';
import type { Finalising } from '../progress/poll-progress.ts';
import { checkDeadlines, type DeadlineDecision } from './deadline.ts';

const limits = deadlines.parse({});
const CANCEL: StopRequest = { reason: 'CancelledByUser', message: 'Cancelled.' };

function ask(
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
function words(verdict: DeadlineDecision): string {
  if (verdict.action === 'stop') return `${verdict.how} ${verdict.stopRequest.reason}`;
  return verdict.action === 'none'
    ? `look again at ${verdict.requeueAt === null ? 'no time' : String((verdict.requeueAt - T0) / 1000)}`
    : 'forceDelete';
}

const closes = (second: number): { finalising: Finalising } => ({
  finalising: { done: false, since: T0 + second * 1000 },
});
const DONE: Finalising = { done: true, since: T0 + 60_000 };

const starting = (): PodBuilder =>
  aPod().on('n').container('recorder', runningState(2)).container('browser', runningState(3));
const armed = (): PodBuilder =>
  aPod().on('n').container('recorder', runningState(2)).container('browser', runningState(3), { started: true });

describe('the deadlines of an attempt', () => {
  it.each<[string, DeadlineDecision, string]>([
    ['pending', ask(aPod().on('n'), 100), 'look again at 1800'],
    ['pending too long on a node', ask(aPod().on('n'), 1800), 'patch PodStartTimeout'],
    [
      'no node, so no kubelet that could honour a patch',
      ask(aPod().condition('PodScheduled', 'False', 'Unschedulable', 'full'), 1800),
      'delete Unschedulable',
    ],
    [
      'a scheduling gate has no deadline',
      ask(aPod().condition('PodScheduled', 'False', 'SchedulingGated'), 1e6),
      'look again at no time',
    ],
    [
      'the image',
      ask(aPod().on('n').container('recorder', waitingState('ErrImagePull')), 1800),
      'patch ImagePullFailed',
    ],
    ['setup', ask(starting(), 100), 'look again at 137'],
    ['setup too long', ask(starting(), 137), 'patch SetupTimeout'],
    ['armed, the harness has its own time to start', ask(armed(), 137), 'look again at 257'],
    ['the recorder is finalising, the kubelet shows no agent', ask(armed(), 60, closes(60)), 'look again at 442'],
    ['the same before the kubelet shows it armed', ask(starting(), 60, closes(60)), 'look again at 442'],
    ['the same before the kubelet shows even the recorder', ask(aPod().on('n'), 60, closes(60)), 'look again at 442'],
    ['the recorder finalises for too long', ask(armed(), 442, closes(60)), 'patch InternalError'],
    ['the recorder is done, the kubelet shows no agent', ask(armed(), 60, { finalising: DONE }), 'look again at 75'],
    ['the recorder is done and no agent started', ask(armed(), 75, { finalising: DONE }), 'patch AgentStartTimeout'],
    [
      'the recorder is done, the image of the harness is missing',
      ask(armed().container('harness', waitingState('ImagePullBackOff')), 75, { finalising: DONE }),
      'patch ImagePullFailed',
    ],
    [
      'the browser restarted while the recorder finalises',
      ask(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', runningState(9), { restartCount: 1 }),
        61,
        closes(60),
      ),
      'look again at 442',
    ],
    [
      'the recorder finalises the evidence of an agent that ran',
      ask(aPod().working(), 60, closes(60)),
      'look again at 614',
    ],
    [
      'the recorder gave up before it was armed, reported that, and waits idle in its second life',
      ask(
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
    ['armed, no agent', ask(armed(), 257), 'patch AgentStartTimeout'],
    [
      'armed, the image of the harness is missing',
      ask(armed().container('harness', waitingState('ImagePullBackOff')), 257),
      'patch ImagePullFailed',
    ],
    [
      'no seccomp profile on the node',
      ask(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', waitingState('CreateContainerError', 'seccomp profile missing')),
        4,
      ),
      'patch IsolationUnavailable',
    ],
    ['working', ask(aPod().working(), 30), 'look again at 614'],
    ['working without end', ask(aPod().working(), 614), 'patch InternalError'],
    ['cancelled while working', ask(aPod().working(), 30, { cancel: CANCEL }), 'patch CancelledByUser'],
    ['cancelled without a node', ask(aPod(), 1, { cancel: CANCEL }), 'delete CancelledByUser'],
    [
      'stopped, waiting for the end',
      ask(aPod().working().deleted(30, 400), 40, { cancel: CANCEL }),
      'look again at 490',
    ],
    ['stopped, nothing happens on a lost node', ask(aPod().working().deleted(30, 400), 490), 'forceDelete'],
    [
      'over',
      ask(
        aPod()
          .on('n')
          .container('harness', terminatedState(9, { message: JSON.stringify(aReport()) }))
          .phase('Succeeded'),
        1e6,
        { cancel: CANCEL },
      ),
      'look again at no time',
    ],
    [
      'the recorder died',
      ask(
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
      ask(
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
      ask(
        aPod()
          .on('n')
          .container('recorder', runningState(2))
          .container('browser', runningState(9), { restartCount: 1 })
          .container('harness', runningState(7)),
        30,
      ),
      'look again at 614',
    ],
  ])('%s', (_name, verdict, expected) => {
    expect(words(verdict)).toBe(expected);
  });
});
