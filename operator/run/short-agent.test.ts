import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { AttemptStatus, ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { PodObject } from '../pod/pod-status.ts';
import { aPod, aReport, terminatedState, runningState, T0, waitingState, type PodBuilder } from '../pod/pod.fixture.ts';
import type { StopRequest } from '../pod/stop-annotations.ts';
import { finalisingOf, type Finalising } from '../progress/poll-progress.ts';
import { RUN_INPUT } from './decide.fixture.ts';
import { decideRun, type RunDecision } from './decide.ts';

/**
 * An agent that ends at once: what the kubelet shows, what the recorder's progress says and what it reports reach the
 * operator in any order and with any delay. The operator may stop the pod in between because it saw no agent, and the
 * pod may disappear before its message was read.
 */

const EVENTS = [
  'recorder',
  'browser',
  'harness',
  'finalising',
  'done',
  'harnessDown',
  'recorderDown',
  'finalPhase',
  'browserAgain',
  'podGone',
] as const;
type Event = (typeof EVENTS)[number];

/** An event, and the seconds that pass before the operator reconciles. */
type Seen = readonly [event: Event, seconds: number];

interface Reported {
  readonly report: OutcomeMessage;
  /** The kubelet shows that the containers have stopped, but not their messages. */
  readonly lost: boolean;
}

/** The pod after the events so far. The end of a container hides that it ran. */
function podAfter(events: ReadonlySet<Event>, stopRequest: StopRequest | null, { report, lost }: Reported): PodBuilder {
  const pod = aPod().named('r-a1', 1).on('node-1', 1);
  const end = terminatedState(8, lost ? {} : { message: JSON.stringify(report) });
  const show = (name: 'recorder' | 'harness', second: number): void => {
    if (events.has(`${name}Down`)) pod.container(name, end);
    else if (events.has(name)) pod.container(name, runningState(second), { started: true });
  };
  show('recorder', 2);
  const restartCount = events.has('browserAgain') ? 1 : 0;
  if (events.has('browser')) pod.container('browser', runningState(3), { started: true, restartCount });
  show('harness', 7);
  if (events.has('finalPhase')) pod.phase(stopRequest === null ? 'Succeeded' : 'Failed', 'DeadlineExceeded');
  return stopRequest === null ? pod : pod.stopped(stopRequest.reason, stopRequest.message);
}

/** The pod of a second attempt, whose recorder found the claim, reported it and waits idle. */
function secondPod(report: OutcomeMessage, now: number): PodObject {
  const at = (second: number): string => new Date(now + second * 1000).toISOString();
  const message = JSON.stringify({ ...report, attempt: 2, claimedByAttempt: 1 });
  const end = { exitCode: 0, startedAt: at(2), finishedAt: at(5), message };
  const idle = { running: { startedAt: at(6) } };
  const { metadata, ...rest } = aPod()
    .named('r-a2', 2)
    .on('node-1', 1)
    .container('recorder', idle, { restartCount: 1, lastState: { terminated: end } })
    .container('harness', waitingState('PodInitializing'))
    .build();
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: at(1) };
  return {
    ...rest,
    status: { ...rest.status, conditions: [scheduled] },
    metadata: { ...metadata, creationTimestamp: at(0) },
  };
}

interface Stop {
  readonly stopRequest: StopRequest;
  /** When the recorder first reported that it is finalising, or done, in seconds; null: it has not. */
  readonly closingFor: number | null;
  readonly second: number;
}

interface Story {
  readonly status: ClawBenchRunStatus;
  readonly stops: readonly Stop[];
}

/** The first attempt with this order of events, a decision after each, and then an hour of silence. */
function firstAttempt(order: readonly Seen[], reported: Reported): Story {
  const seen = new Set<Event>();
  const stops: Stop[] = [];
  let { status } = decideRun(RUN_INPUT);
  let now = T0;
  let finalising: Finalising | null = null;
  for (const [event, seconds] of [...order, ['podGone', 3600] as const]) {
    now += seconds * 1000;
    seen.add(event);
    finalising = finalisingOf({ phase: phaseAfter(seen) }, finalising, now);
    const pods = seen.has('podGone') ? [] : [podAfter(seen, stops[0]?.stopRequest ?? null, reported).build()];
    const decision = decideRun({ ...RUN_INPUT, status, pods, finalising, now });
    stops.push(...stopsOf(decision, finalising, now));
    status = decision.status;
    if (status.attempts?.[0]?.outcome !== undefined) break;
  }
  return { status, stops };
}

function phaseAfter(seen: ReadonlySet<Event>): string {
  if (seen.has('done')) return 'Done';
  return seen.has('finalising') ? 'Finalising' : 'Running';
}

function stopsOf({ actions }: RunDecision, finalising: Finalising | null, now: number): Stop[] {
  const closingFor = finalising === null ? null : (now - finalising.since) / 1000;
  return actions.flatMap((action) =>
    action.type === 'stop' ? [{ stopRequest: action.stopRequest, closingFor, second: (now - T0) / 1000 }] : [],
  );
}

/** A second attempt after it, if there is one: it finds what the first one claimed. */
function endOf({ status: first }: Pick<Story, 'status'>, report: OutcomeMessage): ClawBenchRunStatus {
  if (first.nextAttemptTime === undefined) return first;
  const now = Date.parse(first.nextAttemptTime);
  const begun = decideRun({ ...RUN_INPUT, status: first, now }).status;
  return decideRun({ ...RUN_INPUT, status: begun, pods: [secondPod(report, now)], now: now + 8000 }).status;
}

/** Checks that each attempt's times are within its pod's life, and that message and conditions agree. */
function expectConsistent(status: ClawBenchRunStatus): void {
  const { attempts = [], reason, message } = status;
  for (const attempt of attempts) expectWithinLife(attempt);
  const last = attempts.at(-1);
  // For an intercepted request the message is the verdict's.
  if (status.intercepted !== true) expect([reason, message]).toEqual([last?.reason, last?.message]);
  if (reason === 'SetupTimeout') expect(conditionOf(status, 'Armed')).toBe('False');
  if (status.times?.agentStarted !== undefined) {
    expect(message).not.toMatch(/did not start|not armed|before an agent was seen/);
  }
}

function conditionOf({ conditions = [] }: ClawBenchRunStatus, type: string): string | undefined {
  return conditions.find((one) => one.type === type)?.status;
}

function expectWithinLife({ number, times = {} }: AttemptStatus): void {
  const { podCreated, ended: end = '' } = times;
  for (const [step, at = ''] of Object.entries(times)) {
    const where = `attempt ${String(number)} ${step}`;
    expect(Date.parse(at), where).toBeGreaterThanOrEqual(Date.parse(podCreated ?? end));
    expect(Date.parse(at), where).toBeLessThanOrEqual(Date.parse(end));
  }
}

const times = {
  started: T0 + 2000,
  armed: T0 + 6000,
  agentStarted: T0 + 7000,
  stopped: T0 + 7050,
  evidenceSafe: T0 + 8000,
};
const delay = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 100, max: 700 }));
const anyOrder = (events: readonly Event[]): fc.Arbitrary<Seen[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...events], { minLength: events.length }),
      fc.array(delay, { minLength: events.length, maxLength: events.length }),
    )
    .map(([order, delays]) =>
      order.map((event, index): Seen => [event, (delays[index] ?? 0) + (index === 0 ? 10 : 0)]),
    );

/** All events, in any order: a final phase comes with the messages, or later. */
const whole = anyOrder(EVENTS.filter((event) => event !== 'podGone' && event !== 'finalPhase')).map((order): Seen[] => [
  ...order,
  ['finalPhase', 1],
]);

describe('an agent that ends within milliseconds', () => {
  it.each<Partial<OutcomeMessage>>([
    { outcome: 'Failed', reason: 'AgentExited' },
    { outcome: 'Failed', reason: 'BudgetExceeded' },
    { outcome: 'JudgePending', reason: 'Intercepted', intercepted: true },
    { outcome: 'Infrastructure', reason: 'BrowserExited' },
  ])("has the recorder's outcome, in whatever order and however late things are seen: %j", (said) => {
    const report = aReport({ times, ...said });
    fc.assert(
      fc.property(whole, (order) => {
        const { status } = firstAttempt(order, { report, lost: false });
        expect([status.attempts?.[0]?.outcome, status.attempts?.[0]?.reason]).toEqual([said.outcome, said.reason]);
        expectConsistent(status);
      }),
      { numRuns: 1000 },
    );
  });

  it('whose report could not be read ends as it was claimed, by the second attempt', () => {
    const report = aReport({ times });
    fc.assert(
      fc.property(anyOrder(EVENTS), fc.boolean(), (order, lost) => {
        const first = firstAttempt(order, { report, lost });
        const status = endOf(first, report);
        expectConsistent(status);
        expect(status).toMatchObject({
          phase: 'Complete',
          outcome: 'Failed',
          reason: 'AgentExited',
          evidence: 'Complete',
        });
        expect(status.message).toBe(report.message);
        expect(status.artifacts?.prefix).toBe(`s3://traces/nightly/${report.prefix}`);
        expect(status.times).toMatchObject({
          agentStarted: new Date(times.agentStarted).toISOString(),
          evidenceSafe: new Date(times.evidenceSafe).toISOString(),
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('is not stopped by a start deadline that has not passed, nor while its evidence may still be finalised', () => {
    const report = aReport({ times });
    fc.assert(
      fc.property(anyOrder(EVENTS.filter((event) => event !== 'podGone' && event !== 'browserAgain')), (order) => {
        const { stops } = firstAttempt(order, { report, lost: true });
        for (const { stopRequest, closingFor, second } of stops) {
          const message = JSON.stringify({ stopRequest, closingFor, second });
          if (closingFor === null) expect(second, message).toBeGreaterThanOrEqual(120 + 15);
          else if (stopRequest.message.includes('did not end by itself')) expect(second, message).toBeGreaterThan(600);
          else if (stopRequest.reason === 'AgentStartTimeout') expect(closingFor, message).toBeGreaterThanOrEqual(15);
          else expect(closingFor, message).toBeGreaterThanOrEqual(60 + 300);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('and one that never started is not the agent’s failure', () => {
    const none = { started: T0 + 2000, armed: T0 + 6000, agentStarted: null, stopped: null, evidenceSafe: null };
    const report = aReport({
      outcome: 'Infrastructure',
      reason: 'AgentStartTimeout',
      evidence: 'Partial',
      times: none,
    });
    fc.assert(
      fc.property(whole, (order) => {
        const { status } = firstAttempt(order, { report, lost: false });
        expect(status.attempts?.[0]?.outcome).toBe('Infrastructure');
        expectConsistent(status);
      }),
    );
  });
});
