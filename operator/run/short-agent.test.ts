import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import { decideRun } from './decide.ts';
import { FACTS, INPUT } from './decide.fixture.ts';
import { aPod, aReport, ended, running, T0, type PodBuilder } from './pod.fixture.ts';
import type { StopMark } from './stop-mark.ts';

/**
 * An agent that ends at once: what kubelet shows, what the recorder's progress says and what it reports reach the
 * operator in any order, and the operator may stop the pod in between because it saw no agent.
 */

type Event = 'recorder' | 'browser' | 'harness' | 'progress' | 'late' | 'harnessDown' | 'recorderDown';
const EVENTS: readonly Event[] = ['recorder', 'browser', 'harness', 'progress', 'late', 'harnessDown', 'recorderDown'];

/** What the events so far make of the pod; the end of a container hides that it ran. */
function podAfter(events: ReadonlySet<Event>, mark: StopMark | null, message: string): PodBuilder {
  const pod = aPod().named('r-a1', 1).on('node-1');
  if (events.has('recorderDown')) pod.container('recorder', ended(9, { message }));
  else if (events.has('recorder')) pod.container('recorder', running(2), { started: true });
  if (events.has('browser')) pod.container('browser', running(3), { started: true });
  if (events.has('harnessDown')) pod.container('harness', ended(8, { message }));
  else if (events.has('harness')) pod.container('harness', running(7), { started: true });
  if (events.has('harnessDown') && events.has('recorderDown')) pod.phase('Succeeded');
  return mark === null ? pod : pod.stopped(mark.reason, mark.message);
}

/** The run's end when events come in this order, each decided on before the next. */
function endOf(order: readonly Event[], report: OutcomeMessage): ClawBenchRunStatus | undefined {
  const seen = new Set<Event>();
  let mark: StopMark | null = null;
  let status: ClawBenchRunStatus | undefined = decideRun(INPUT).status;
  for (const [index, event] of order.entries()) {
    seen.add(event);
    const now = T0 + (seen.has('late') ? 3600 : 10 + index) * 1000;
    const pods = [podAfter(seen, mark, JSON.stringify(report)).build()];
    const decision = decideRun({ ...INPUT, facts: FACTS, status, pods, finalising: seen.has('progress'), now });
    for (const action of decision.actions) if (action.type === 'stop') mark ??= action.mark;
    status = decision.status;
    if (status.outcome !== undefined || status.nextAttemptTime !== undefined) break;
  }
  return status;
}

const anyOrder = fc.shuffledSubarray([...EVENTS], { minLength: EVENTS.length });

describe('an agent that ends within milliseconds', () => {
  it.each<Partial<OutcomeMessage>>([
    { outcome: 'Failed', reason: 'AgentExited' },
    { outcome: 'JudgePending', reason: 'Intercepted', intercepted: true },
    { outcome: 'Infrastructure', reason: 'BrowserExited' },
  ])('is what the recorder reports of it, in whatever order things are seen: %j', (said) => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const attempt = endOf(order, aReport(said))?.attempts?.[0];
        expect([attempt?.outcome, attempt?.reason]).toEqual([said.outcome, said.reason]);
      }),
      { numRuns: 500 },
    );
  });

  it('and one that never started is not the agent’s failure', () => {
    const none = { started: T0, armed: T0 + 6000, agentStarted: null, stopped: null, evidenceSafe: null };
    const report = aReport({ outcome: 'Infrastructure', reason: 'AgentStartTimeout', times: none });
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(endOf(order, report)?.attempts?.[0]?.outcome).toBe('Infrastructure');
      }),
    );
  });
});
