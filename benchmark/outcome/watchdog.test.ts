import { describe, expect, it } from 'vitest';
import { screenshotDue } from '../bundle/screenshot-throttle.ts';
import { EXIT_GRACE_MS, watchdog, type WatchdogFacts } from './watchdog.ts';

const facts = (more: Partial<WatchdogFacts> = {}): WatchdogFacts => ({
  startedAt: 1000,
  lastActionAt: 0,
  matched: false,
  agentExitedAt: null,
  timeLimitMs: 600_000,
  idleLimitMs: 300_000,
  ...more,
});

describe('watchdog', () => {
  it('waits for the next deadline', () => {
    expect(watchdog(facts(), 2000)).toEqual({ stop: false, checkAt: 301_000 });
    expect(watchdog(facts({ lastActionAt: 500_000 }), 500_000)).toEqual({ stop: false, checkAt: 601_000 });
  });
  it('stops an idle agent, counted from its start at the earliest', () => {
    expect(watchdog(facts(), 301_000)).toEqual({ stop: true, reason: 'agent_idle' });
    expect(watchdog(facts({ lastActionAt: null }), 400_000)).toEqual({ stop: false, checkAt: 601_000 });
  });
  it('stops at the time limit', () => {
    expect(watchdog(facts({ lastActionAt: 600_000 }), 601_000)).toEqual({ stop: true, reason: 'time_limit_exceeded' });
  });
  it('a match takes precedence', () => {
    expect(watchdog(facts({ matched: true, agentExitedAt: 5 }), 999_999)).toEqual({
      stop: true,
      reason: 'eval_matched',
    });
  });
  it('gives an agent that exited a grace period for its last request', () => {
    const exited = facts({ agentExitedAt: 50_000 });
    expect(watchdog(exited, 50_000)).toEqual({ stop: false, checkAt: 50_000 + EXIT_GRACE_MS });
    expect(watchdog(exited, 50_000 + EXIT_GRACE_MS)).toEqual({ stop: true, reason: 'agent_exited' });
  });
});

describe('screenshotDue', () => {
  it('allows one per half second, measured from the last one', () => {
    expect(screenshotDue(null, 0)).toBe(true);
    expect(screenshotDue(1000, 1499)).toBe(false);
    expect(screenshotDue(1000, 1500)).toBe(true);
  });
});
