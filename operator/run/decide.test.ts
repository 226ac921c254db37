import { describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { aPod, aReport, terminatedState, T0, waitingState, type PodBuilder } from '../pod/pod.fixture.ts';
import { statusPatch } from '../status-patch.ts';
import type { BatchFacts } from './batch-facts.ts';
import { BATCH_FACTS, RUN_INPUT } from './decide.fixture.ts';
import { decideRun, type RunAction, type RunDecision, type RunInput } from './decide.ts';

/** Decides step after step, each time from the status that the step before wrote, as the API server would return it. */
class Story {
  status: ClawBenchRunStatus | undefined;
  last: RunDecision | undefined;
  step(second: number, change: Partial<RunInput> = {}): this {
    const input = { ...RUN_INPUT, status: this.status, now: T0 + second * 1000, ...change };
    this.last = decideRun(input);
    this.status = JSON.parse(JSON.stringify(this.last.status)) as ClawBenchRunStatus;
    const again = decideRun({ ...input, status: this.status });
    if (this.last.actions.every((action) => action.type !== 'create'))
      expect(statusPatch(this.status, again.status)).toBeNull();
    return this;
  }
  get actions(): string[] {
    return (this.last?.actions ?? []).map(words);
  }
  get says(): string {
    const { phase, outcome, reason } = this.status ?? {};
    return [phase, outcome, reason].filter((word) => word !== undefined).join('/');
  }
  condition(type: string): string | undefined {
    return this.status?.conditions?.find((one) => one.type === type)?.status;
  }
}
function words(action: RunAction): string {
  if (action.type === 'create' || action.type === 'deleteSweepJob') return `${action.type} a${String(action.attempt)}`;
  return action.type === 'stop'
    ? `stop ${action.pod.metadata.name} ${action.stopRequest.reason}`
    : `delete ${action.pod.metadata.name} ${action.how}`;
}
const done = (name: string, attempt: number, report: Partial<OutcomeMessage> = {}): PodBuilder =>
  aPod()
    .named(name, attempt)
    .on('node-1')
    .container('recorder', terminatedState(45))
    .container('harness', terminatedState(43, { message: JSON.stringify(aReport({ attempt, ...report })) }))
    .phase('Succeeded');
const broken = (name: string, attempt: number): PodBuilder =>
  aPod()
    .named(name, attempt)
    .on('node-1')
    .container('recorder', terminatedState(5))
    .container('harness', terminatedState(9, { exitCode: 137, reason: 'OOMKilled' }))
    .phase('Failed');

describe('a run from its creation to its outcome', () => {
  it('waits for a slot, gets a pod, works, ends and is cleaned up', () => {
    const story = new Story();
    expect(story.step(0, { admitted: false }).says).toBe('Queued');
    expect(story.actions).toEqual([]);
    expect(story.step(1).actions).toEqual(['create a1']);
    expect(story.says).toBe('Pending');
    const pod = aPod().named('r-a1', 1);
    expect(story.step(2, { pods: [pod.build()] }).status?.pendingReason).toBe('Waiting for the scheduler.');
    const working = aPod().named('r-a1', 1).working().build();
    expect(story.step(9, { pods: [working] }).says).toBe('Running');
    expect(story.condition('Armed')).toBe('True');
    expect(story.step(20, { pods: [working], finalising: { done: false, since: T0 + 19_000 } }).says).toBe(
      'Finalising',
    );
    const over = done('r-a1', 1).build();
    expect(story.step(46, { pods: [over] }).says).toBe('Complete/Failed/AgentExited');
    expect(story.actions, 'the pod goes only after the outcome was written').toEqual([]);
    expect(story.step(47, { pods: [over] }).actions).toEqual(['delete r-a1 grace']);
    expect([story.condition('Armed'), story.condition('Complete')]).toEqual(['True', 'True']);
    expect(story.status?.times).toMatchObject({
      agentStarted: '2026-01-01T00:00:07.000Z',
      evidenceSafe: '2026-01-01T00:00:42.000Z',
    });
    expect(story.status?.artifacts?.prefix).toBe('s3://traces/nightly/none/batch-b--null--none/none/0001-x-r1/a1/');
  });

  it('an operator killed after creating the pod adopts it', () => {
    const story = new Story().step(0, { admitted: false });
    expect(story.step(5, { pods: [aPod().named('r-a1', 1).working().build()] }).says).toBe('Running');
    expect(story.status?.attempt).toBe(1);
    expect(story.actions).toEqual([]);
  });

  it('the same state at the same time gives the same pod: nothing is created twice', () => {
    const first = new Story().step(1);
    const second = new Story().step(1);
    expect(first.actions).toEqual(second.actions);
  });
});

describe('infrastructure failures', () => {
  it('are retried after a back-off until the limit; the newest failed pod stays until the batch is complete', () => {
    const story = new Story().step(0);
    const one = broken('r-a1', 1).build();
    expect(story.step(10, { pods: [one] }).says).toBe('Queued/OutOfMemory');
    expect(story.last?.requeueAt).toBe(T0 + 20_000);
    expect(story.step(15, { pods: [one] }).actions).toEqual([]);
    expect(story.step(20, { pods: [one] }).actions).toEqual(['create a2']);
    const two = broken('r-a2', 2).build();
    expect(story.step(30, { pods: [one, two] }).says).toBe('Queued/OutOfMemory');
    expect(story.step(31, { pods: [one, two] }).actions).toEqual(['delete r-a1 grace']);
    expect(story.step(50, { pods: [two] }).actions).toEqual(['create a3']);
    const three = broken('r-a3', 3).build();
    expect(story.step(60, { pods: [two, three] }).says).toBe('Complete/Infrastructure/OutOfMemory');
    expect(story.status?.message).toMatch(/No retry after 3 infrastructure failures/);
    expect(story.status?.attempts?.map((attempt) => attempt.outcome)).toEqual([
      'Infrastructure',
      'Infrastructure',
      'Infrastructure',
    ]);
    expect(story.step(61, { pods: [two, three] }).actions).toEqual(['delete r-a2 grace']);
    expect(story.step(62, { pods: [three] }).actions).toEqual([]);
    expect(story.step(63, { pods: [three], facts: { ...BATCH_FACTS, ended: true } }).actions).toEqual([
      'delete r-a3 grace',
    ]);
  });

  it('a drained node does not count as a retry', () => {
    const story = new Story().step(0);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const name = `r-a${String(attempt)}`;
      const evicted = aPod()
        .named(name, attempt)
        .on('n')
        .phase('Failed', 'Evicted', 'The node was low on memory.')
        .build();
      expect(story.step(attempt * 100, { pods: [evicted] }).says).toBe('Queued/Evicted');
      expect(story.step(attempt * 100 + 50, { pods: [evicted] }).actions).toContain(`create a${String(attempt + 1)}`);
    }
    expect(story.status?.infrastructureFailures).toBeUndefined();
  });

  it('no next attempt while the last pod may still act', () => {
    const story = new Story().step(0);
    const report = JSON.stringify(aReport({ outcome: 'Infrastructure', reason: 'CdpLost' }));
    const acting = aPod().named('r-a1', 1).working().build();
    const end = {
      ...acting,
      status: {
        ...acting.status,
        containerStatuses: [{ name: 'harness', state: terminatedState(9, { message: report }) }],
      },
    };
    expect(story.step(10, { pods: [end] }).says).toBe('Queued/CdpLost');
    expect(story.step(60, { pods: [end] }).actions).toEqual([]);
    const gone = { ...end, status: { ...end.status, phase: 'Succeeded' } };
    expect(story.step(61, { pods: [gone] }).actions).toEqual(['create a2']);
  });

  it('a pod that disappears without a report leads to a new attempt', () => {
    const story = new Story().step(0).step(5, { pods: [aPod().named('r-a1', 1).working().build()] });
    expect(story.step(9, { pods: [] }).says).toBe('Queued/PodDeleted');
  });

  it('an unschedulable pod is deleted at its deadline and says why', () => {
    const pod = aPod()
      .named('r-a1', 1)
      .condition('PodScheduled', 'False', 'Unschedulable', '0/1 nodes are available.')
      .build();
    const story = new Story().step(0).step(2, { pods: [pod] });
    expect(story.status?.pendingReason).toBe('The pod cannot be scheduled: 0/1 nodes are available.');
    expect(story.step(1800, { pods: [pod] }).actions).toEqual(['delete r-a1 unscheduled']);
    expect(story.says).toBe('Queued/Unschedulable');
  });

  it('an image of the harness that cannot be pulled is shown while the run is starting', () => {
    const pod = aPod().named('r-a1', 1).working().build();
    const stuck = {
      ...pod,
      status: {
        ...pod.status,
        containerStatuses: [{ name: 'harness', image: 'x:1', state: waitingState('ImagePullBackOff', 'not found') }],
      },
    };
    const story = new Story().step(0).step(9, { pods: [stuck] });
    expect(story.says).toBe('Starting');
    expect(story.status?.pendingReason).toBe(
      'The image x:1 of container harness cannot be pulled on node-1: ImagePullBackOff, not found.',
    );
  });

  it('leave none of their times to the next attempt', () => {
    const late = aPod().named('r-a1', 1).working().stopped('SetupTimeout', 'Not armed within 120 s.').build();
    const story = new Story().step(0).step(10, { pods: [late] });
    expect(story.condition('Armed'), 'kubelet showed it after the stop').toBe('True');
    const over = broken('r-a1', 1).stopped('SetupTimeout', 'Not armed within 120 s.').build();
    expect(story.step(12, { pods: [over] }).says).toBe('Queued/SetupTimeout');
    expect(story.condition('Armed')).toBe('False');
    story.step(30);
    expect(story.status?.times).toEqual({ queued: new Date(T0).toISOString() });
    expect(story.status?.attempts?.map(({ times }) => Object.keys(times ?? {}).length > 0)).toEqual([true, false]);
  });

  describe('an outcome that an earlier attempt claimed', () => {
    const adopted = (first: PodBuilder, claim: Partial<OutcomeMessage> = {}): Story =>
      new Story()
        .step(0)
        .step(10, { pods: [first.build()] })
        .step(20)
        .step(60, { pods: [done('r-a2', 2, { claimedByAttempt: 1, ...claim }).build()] });
    const adopt = (first: PodBuilder, claim: Partial<OutcomeMessage> = {}): string => adopted(first, claim).says;
    const said = (change: Partial<OutcomeMessage>): PodBuilder => {
      const end = terminatedState(9, { message: JSON.stringify(aReport(change)) });
      return aPod()
        .named('r-a1', 1)
        .on('n')
        .container('recorder', terminatedState(9))
        .container('harness', end)
        .phase('Succeeded');
    };

    it('is not the agent’s when that attempt’s own report was attributed to the cluster', () => {
      const drained = said({}).deleted(35, 30).condition('DisruptionTarget', 'True', 'EvictionByEvictionAPI', 'drain');
      const { status, says } = adopted(drained);
      expect(says).toBe('Complete/Infrastructure/Evicted');
      expect(status?.attempts?.map(({ reason, message }) => [reason, message])).toEqual(
        Array(2).fill(['Evicted', 'The cluster removed the pod (EvictionByEvictionAPI): drain.']),
      );
      expect(status?.attempts?.at(-1)?.claimedByAttempt).toBe(1);
    });
    it('is the run’s when the operator itself had stopped that attempt', () => {
      const story = new Story().step(0).step(10, { pods: [broken('r-a1', 1).build()] });
      const stopped = {
        reason: 'SetupTimeout',
        message: 'Interception was not armed.',
        reportedOutcome: 'Failed',
      } as const;
      const [first] = story.status?.attempts ?? [];
      story.status = {
        ...story.status,
        attempts: [{ ...first, number: 1, podName: 'r-a1', ...stopped, prefix: aReport().prefix }],
      };
      story.step(20).step(60, { pods: [done('r-a2', 2, { claimedByAttempt: 1 }).build()] });
      expect(story.says).toBe('Complete/Failed/AgentExited');
      expect(story.status?.message).toBe(aReport().message);
    });
    it('of a deleted run with this name is not taken for an attempt of this one', () => {
      const drained = said({ prefix: 'x/a1-own/' })
        .deleted(35, 30)
        .condition('DisruptionTarget', 'True', 'EvictionByEvictionAPI', 'drain');
      expect(adopt(drained)).toBe('Complete/Failed/AgentExited');
    });
    it('counts when that attempt’s message was lost', () => {
      const gone = aPod().named('r-a1', 1).on('n').phase('Failed', 'Evicted', 'low on memory');
      expect(adopt(gone)).toBe('Complete/Failed/AgentExited');
      expect(adopt(gone, { outcome: 'TimedOut', reason: 'TimeLimitExceeded' })).toBe(
        'Complete/TimedOut/TimeLimitExceeded',
      );
    });
    it('counts when that attempt could not read the response to its claim', () => {
      expect(adopt(said({ outcome: 'Infrastructure', reason: 'StorageFailed' }))).toBe('Complete/Failed/AgentExited');
    });
  });

  it('an end that the agent forged is its own, with upstream’s fields corrected', () => {
    const forged = { outcome: 'Infrastructure', reason: 'PodDeleted', resultCategory: 'infra_failure' } as const;
    const story = new Story().step(0).step(46, { pods: [done('r-a1', 1, forged).build()] });
    expect(story.says).toBe('Complete/Failed/AgentExited');
    expect(story.status).toMatchObject({ resultCategory: 'model_not_intercepted', stopReason: 'agent_exited' });
    expect(story.status?.attempts?.[0]).toMatchObject({ outcome: 'Failed', reportedOutcome: 'Infrastructure' });
  });

  it.each(['TaskMismatch', 'ClaimedByOther'] as const)('%s is not retried', (reason) => {
    const story = new Story().step(0);
    expect(story.step(9, { pods: [done('r-a1', 1, { outcome: 'Infrastructure', reason }).build()] }).says).toBe(
      `Complete/Infrastructure/${reason}`,
    );
  });
});

describe('cancel', () => {
  it('a queued run ends at once', () => {
    expect(new Story().step(0, { admitted: false }).step(1, { cancel: true }).says).toBe(
      'Complete/Cancelled/CancelledByUser',
    );
  });
  it('a running one is stopped, keeps its evidence and is not retried', () => {
    const story = new Story().step(0);
    const working = aPod().named('r-a1', 1).working();
    expect(story.step(9, { pods: [working.build()], cancel: true }).actions).toEqual(['stop r-a1 CancelledByUser']);
    const stopped = done('r-a1', 1).stopped('CancelledByUser', 'The run was cancelled.').build();
    expect(story.step(30, { pods: [stopped], cancel: true }).says).toBe('Complete/Cancelled/CancelledByUser');
    expect(story.status?.evidence).toBe('Complete');
  });
  it('one whose pod has no node is cancelled, not failed', () => {
    const story = new Story().step(0).step(5, { pods: [aPod().named('r-a1', 1).build()], cancel: true });
    expect(story.says).toBe('Complete/Cancelled/CancelledByUser');
    expect(story.actions).toEqual(['delete r-a1 unscheduled']);
  });
});

describe('verdicts', () => {
  const interceptedReport = {
    outcome: 'JudgePending',
    reason: 'Intercepted',
    intercepted: true,
    stopReason: 'eval_matched',
  } as const;
  const intercepted = (facts: Partial<BatchFacts> = {}): Story =>
    new Story()
      .step(0)
      .step(46, { pods: [done('r-a1', 1, interceptedReport).build()], facts: { ...BATCH_FACTS, ...facts } });
  const judge = (story: Story, verdicts: ClawBenchRunStatus['verdicts'], facts: Partial<BatchFacts> = {}): Story => {
    story.status = { ...story.status, verdicts };
    return story.step(99, { facts: { ...BATCH_FACTS, ...facts } });
  };

  it('an intercepted run waits for its verdicts', () => {
    const story = intercepted();
    expect(story.says).toBe('Judging/JudgePending/Intercepted');
    expect([story.condition('Intercepted'), story.condition('Judged'), story.condition('Complete')]).toEqual([
      'True',
      'False',
      'False',
    ]);
  });
  it.each<[string, NonNullable<ClawBenchRunStatus['verdicts']>, string]>([
    ['pass', { Strict: { match: true }, Lenient: { match: true } }, 'Complete/Passed/JudgedMatch'],
    [
      'fail',
      { Strict: { match: false, reason: 'wrong size' }, Lenient: { match: true } },
      'Complete/Failed/JudgedMismatch',
    ],
    ['one rubric is missing', { Strict: { match: true } }, 'Judging/Passed/JudgedMatch'],
    [
      'an unusable answer is not a failure',
      { Strict: { match: null }, Lenient: { match: null } },
      'Complete/JudgePending/Intercepted',
    ],
  ])('%s', (_name, verdicts, expected) => {
    expect(judge(intercepted(), verdicts).says).toBe(expected);
  });
  it('the pass rubric decides', () => {
    expect(
      judge(intercepted(), { Strict: { match: false }, Lenient: { match: true } }, { passRubric: 'Lenient' }).says,
    ).toBe('Complete/Passed/JudgedMatch');
  });
  it('without a judge an interception passes', () => {
    expect(intercepted({ rubrics: [], passRubric: null }).says).toBe('Complete/Passed/Intercepted');
  });
  it('a batch that completed without the judge leaves it unjudged', () => {
    const story = intercepted();
    expect(story.step(99, { facts: { ...BATCH_FACTS, ended: true } }).says).toBe('Complete/JudgePending/Intercepted');
  });
  it('a later verdict changes the outcome', () => {
    const story = judge(intercepted(), { Strict: { match: false }, Lenient: { match: true } });
    expect(judge(story, { Strict: { match: true }, Lenient: { match: true } }).says).toBe(
      'Complete/Passed/JudgedMatch',
    );
  });
});
