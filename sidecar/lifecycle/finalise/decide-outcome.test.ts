import { describe, expect, it } from 'vitest';
import type { Cause } from '../state-machine/stop-cause.ts';
import { decideOutcome, type Ending } from './decide-outcome.ts';

function ending(cause: Cause, more: Partial<Ending> = {}): Ending {
  return {
    cause,
    bodyUnavailable: false,
    judged: true,
    evidence: 'Complete',
    evidenceProblem: '',
    hurried: false,
    local: false,
    modelEnd: null,
    harnessStopReason: 'unknown',
    ...more,
  };
}

const matched: Cause = { kind: 'intercepted' };
const left: Cause = { kind: 'agentExited', exitCode: 3 };
const killed: Cause = { kind: 'agentExited', exitCode: 137 };
const capped = { outcome: 'Failed', reason: 'BudgetExceeded', message: 'A cap.' } as const;
const cut = { ...capped, outcome: 'Infrastructure' } as const;
const down = { outcome: 'Infrastructure', reason: 'ModelUnavailable', message: 'It answered 500.' } as const;
const lost: Cause = { kind: 'infrastructure', reason: 'CdpLost', message: 'The pipe closed.' };

describe('exactly one class', () => {
  it.each([
    ['a match waits for the judge', ending(matched), 'JudgePending', 'Intercepted', 'eval_matched'],
    ['a match without a judge passes', ending(matched, { judged: false }), 'Passed', 'Intercepted', 'eval_matched'],
    [
      'a match whose body is missing',
      ending(matched, { bodyUnavailable: true }),
      'EvidenceIncomplete',
      'BodyUnavailable',
      'eval_matched',
    ],
    ['an agent that left', ending(left), 'Failed', 'AgentExited', 'agent_exited'],
    [
      'an agent that was killed: the operator knows by whom',
      ending(killed),
      'Infrastructure',
      'AgentExited',
      'agent_exited',
    ],
    ['the same where there is no operator', ending(killed, { local: true }), 'Failed', 'AgentExited', 'agent_exited'],
    [
      'a cap that ended it',
      ending({ kind: 'budget', message: 'A cap.' }),
      'Failed',
      'BudgetExceeded',
      'stop_requested',
    ],
    ['an agent that left at its cap', ending(left, { modelEnd: capped }), 'Failed', 'BudgetExceeded', 'agent_exited'],
    [
      'an agent that left at a cap that others had used up',
      ending(left, { modelEnd: cut }),
      'Infrastructure',
      'BudgetExceeded',
      'agent_exited',
    ],
    [
      'an agent without a provider',
      ending(left, { modelEnd: down }),
      'Infrastructure',
      'ModelUnavailable',
      'agent_exited',
    ],
    [
      'silence without a provider',
      ending({ kind: 'idle' }, { modelEnd: down }),
      'Infrastructure',
      'ModelUnavailable',
      'agent_idle',
    ],
    [
      'a match, whatever the provider did then',
      ending(matched, { modelEnd: down }),
      'JudgePending',
      'Intercepted',
      'eval_matched',
    ],
    [
      'the limit, whatever the provider did',
      ending({ kind: 'timeLimit' }, { modelEnd: down }),
      'TimedOut',
      'TimeLimitExceeded',
      'time_limit_exceeded',
    ],
    ['silence', ending({ kind: 'idle' }), 'Failed', 'AgentIdle', 'agent_idle'],
    ['the limit', ending({ kind: 'timeLimit' }), 'TimedOut', 'TimeLimitExceeded', 'time_limit_exceeded'],
    ['a stop that was asked for', ending({ kind: 'stopRequested' }), 'Failed', 'AgentExited', 'stop_requested'],
    ['a user who ends a session', ending({ kind: 'cancelled' }), 'Cancelled', 'CancelledByUser', 'stop_requested'],
    ['a lost pipe', ending(lost), 'Infrastructure', 'CdpLost', 'chrome_cdp_timeout'],
    [
      'an escape',
      ending({ kind: 'escape', url: 'https://x.test/' }),
      'InterceptionEscape',
      'ResponseWithoutPause',
      'unknown',
    ],
    [
      'a store that refuses',
      ending(left, { evidence: 'Partial', evidenceProblem: 'full' }),
      'Infrastructure',
      'StorageFailed',
      'agent_exited',
    ],
    [
      'a Pod that is torn down',
      ending(left, { evidence: 'Partial', hurried: true }),
      'Infrastructure',
      'PodDeleted',
      'agent_exited',
    ],
    [
      'the same after a match',
      ending(matched, { evidence: 'None', hurried: true }),
      'EvidenceIncomplete',
      'EvidenceNotSafe',
      'eval_matched',
    ],
  ] as const)('%s', (_name, given, ...[outcome, reason, stopReason]) => {
    expect(decideOutcome(given)).toMatchObject({ outcome, reason, stopReason });
  });

  it("keeps the harness's own word for its end, but never takes its word for success", () => {
    expect(decideOutcome(ending(left, { harnessStopReason: 'proxy_failed' })).stopReason).toBe('proxy_failed');
    expect(decideOutcome(ending(left, { harnessStopReason: 'eval_matched' })).stopReason).toBe('agent_exited');
    expect(decideOutcome(ending(lost, { harnessStopReason: 'proxy_failed' })).stopReason).toBe('chrome_cdp_timeout');
  });

  it('keeps its sentence within what the message allows', () => {
    const long: Cause = { kind: 'infrastructure', reason: 'InternalError', message: 'x'.repeat(1000) };
    expect(decideOutcome(ending(long)).message).toHaveLength(300);
  });
});
