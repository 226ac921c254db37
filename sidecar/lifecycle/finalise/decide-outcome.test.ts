import { describe, expect, it } from 'vitest';
import type { StopCause } from '../state-machine/stop-cause.ts';
import { decideOutcome, type OutcomeFacts } from './decide-outcome.ts';

function facts(cause: StopCause, more: Partial<OutcomeFacts> = {}): OutcomeFacts {
  return {
    cause,
    bodyUnavailable: false,
    judged: true,
    evidence: 'Complete',
    evidenceProblem: '',
    podTerminating: false,
    local: false,
    modelOutcome: null,
    harnessStopReason: 'unknown',
    ...more,
  };
}

const matched: StopCause = { kind: 'intercepted' };
const exited: StopCause = { kind: 'agentExited', exitCode: 3 };
const killed: StopCause = { kind: 'agentExited', exitCode: 137 };
const capped = { outcome: 'Failed', reason: 'BudgetExceeded', message: 'A cap.' } as const;
const cut = { ...capped, outcome: 'Infrastructure' } as const;
const down = { outcome: 'Infrastructure', reason: 'ModelUnavailable', message: 'It answered 500.' } as const;
const lost: StopCause = { kind: 'infrastructure', reason: 'CdpLost', message: 'The pipe closed.' };

describe('exactly one outcome', () => {
  it.each([
    ['a match waits for the judge', facts(matched), 'JudgePending', 'Intercepted', 'eval_matched'],
    ['a match without a judge passes', facts(matched, { judged: false }), 'Passed', 'Intercepted', 'eval_matched'],
    [
      'a match whose body is missing',
      facts(matched, { bodyUnavailable: true }),
      'EvidenceIncomplete',
      'BodyUnavailable',
      'eval_matched',
    ],
    ['an agent that exited', facts(exited), 'Failed', 'AgentExited', 'agent_exited'],
    [
      'an agent that was killed: the operator finds out by what',
      facts(killed),
      'Infrastructure',
      'AgentExited',
      'agent_exited',
    ],
    ['the same where there is no operator', facts(killed, { local: true }), 'Failed', 'AgentExited', 'agent_exited'],
    [
      'a cap that stopped it',
      facts({ kind: 'budget', message: 'A cap.' }),
      'Failed',
      'BudgetExceeded',
      'stop_requested',
    ],
    [
      'an agent that exited at its cap',
      facts(exited, { modelOutcome: capped }),
      'Failed',
      'BudgetExceeded',
      'agent_exited',
    ],
    [
      'an agent that exited at a cap that earlier attempts had used up',
      facts(exited, { modelOutcome: cut }),
      'Infrastructure',
      'BudgetExceeded',
      'agent_exited',
    ],
    [
      'an agent without a provider',
      facts(exited, { modelOutcome: down }),
      'Infrastructure',
      'ModelUnavailable',
      'agent_exited',
    ],
    [
      'silence without a provider',
      facts({ kind: 'idle' }, { modelOutcome: down }),
      'Infrastructure',
      'ModelUnavailable',
      'agent_idle',
    ],
    [
      'a match, whatever the provider did then',
      facts(matched, { modelOutcome: down }),
      'JudgePending',
      'Intercepted',
      'eval_matched',
    ],
    [
      'the limit, whatever the provider did',
      facts({ kind: 'timeLimit' }, { modelOutcome: down }),
      'TimedOut',
      'TimeLimitExceeded',
      'time_limit_exceeded',
    ],
    ['silence', facts({ kind: 'idle' }), 'Failed', 'AgentIdle', 'agent_idle'],
    ['the limit', facts({ kind: 'timeLimit' }), 'TimedOut', 'TimeLimitExceeded', 'time_limit_exceeded'],
    ['a stop that was requested', facts({ kind: 'stopRequested' }), 'Failed', 'AgentExited', 'stop_requested'],
    ['a user who ends a session', facts({ kind: 'cancelled' }), 'Cancelled', 'CancelledByUser', 'stop_requested'],
    ['a lost pipe', facts(lost), 'Infrastructure', 'CdpLost', 'chrome_cdp_timeout'],
    [
      'an escape',
      facts({ kind: 'escape', url: 'https://x.test/' }),
      'InterceptionEscape',
      'ResponseWithoutPause',
      'unknown',
    ],
    [
      'a store that refuses',
      facts(exited, { evidence: 'Partial', evidenceProblem: 'full' }),
      'Infrastructure',
      'StorageFailed',
      'agent_exited',
    ],
    [
      'a Pod that is deleted',
      facts(exited, { evidence: 'Partial', podTerminating: true }),
      'Infrastructure',
      'PodDeleted',
      'agent_exited',
    ],
    [
      'the same after a match',
      facts(matched, { evidence: 'None', podTerminating: true }),
      'EvidenceIncomplete',
      'EvidenceNotSafe',
      'eval_matched',
    ],
  ] as const)('%s', (_name, given, ...[outcome, reason, stopReason]) => {
    expect(decideOutcome(given)).toMatchObject({ outcome, reason, stopReason });
  });

  it("keeps the harness's own stop reason, except where it claims success", () => {
    expect(decideOutcome(facts(exited, { harnessStopReason: 'proxy_failed' })).stopReason).toBe('proxy_failed');
    expect(decideOutcome(facts(exited, { harnessStopReason: 'eval_matched' })).stopReason).toBe('agent_exited');
    expect(decideOutcome(facts(lost, { harnessStopReason: 'proxy_failed' })).stopReason).toBe('chrome_cdp_timeout');
  });

  it('keeps its sentence within what the message allows', () => {
    const long: StopCause = { kind: 'infrastructure', reason: 'InternalError', message: 'x'.repeat(1000) };
    expect(decideOutcome(facts(long)).message).toHaveLength(300);
  });
});
