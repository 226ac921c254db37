import { describe, expect, it } from 'vitest';
import { runDeadlines } from '../../../benchmark/protocol/run-config.ts';
import type { StopCause } from './stop-cause.ts';
import { nextDeadline } from './deadline.ts';
import { step, type Effect, type LifecycleEvent } from './step.ts';
import { initialState, type Limits, type State } from './state.ts';

const limits: Limits = { deadlines: runDeadlines.parse({}), timeLimitSeconds: 1800 };
const T = 1_000_000;

/** Feeds events (times in seconds after the start) and collects every effect. */
function play(...events: (readonly [number, object])[]): { state: State; effects: Effect[] } {
  let state = initialState(T);
  const effects: Effect[] = [];
  for (const [seconds, event] of events) {
    const next = step(state, { ...event, at: T + seconds * 1000 } as LifecycleEvent, limits);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

const armed = [1, { type: 'armed' }] as const;
const started = [2, { type: 'agentStarted' }] as const;
const exited = (at: number, more: object = {}) => [at, { type: 'agentExited', exitCode: 0, ...more }] as const;
const tick = (at: number) => [at, { type: 'tick' }] as const;
const intercepted = (at: number) => [at, { type: 'intercepted', bodyUnavailable: false }] as const;
const action = (at: number) => [at, { type: 'action' }] as const;
const lost = (at: number) => [at, { type: 'failed', reason: 'CdpLost', message: 'gone' }] as const;
const deleted: StopCause = { kind: 'infrastructure', reason: 'PodDeleted', message: 'ended' };
const terminate = (at: number, podTerminating: boolean) =>
  [at, { type: 'terminate', cause: deleted, podTerminating }] as const;

describe('how an attempt usually stops', () => {
  it('freezes and stops the agent at the match, and finalises when the agent is gone and the tail is over', () => {
    const matched = play(armed, started, intercepted(10));
    expect(matched.state).toMatchObject({ phase: 'Stopping', cause: { kind: 'intercepted' } });
    expect(matched.effects).toEqual(['freeze', 'stopAgent']);
    expect(play(armed, started, intercepted(10), exited(10.5)).state.phase).toBe('Stopping');
    const over = play(armed, started, intercepted(10), exited(10.5), tick(12));
    expect(over.state.phase).toBe('Finalising');
    expect(over.effects).toContain('finalise');
  });

  it('stops the agent at a cap of its run, and keeps a match that came before', () => {
    const capReached = [10, { type: 'capReached', message: 'A cap.' }] as const;
    const capped = play(armed, started, action(5), capReached);
    expect(capped.state).toMatchObject({ phase: 'Stopping', cause: { kind: 'budget', message: 'A cap.' } });
    expect(capped.effects).toEqual(['freeze', 'stopAgent']);
    expect(play(armed, started, intercepted(9), capReached).state.cause?.kind).toBe('intercepted');
  });

  it('does not wait after an agent that did nothing and exited', () => {
    const { state, effects } = play(armed, action(1.5), started, exited(3));
    expect(state).toMatchObject({ phase: 'Finalising', cause: { kind: 'agentExited', exitCode: 0 } });
    expect(effects).toEqual(['freeze', 'stopAgent', 'freeze', 'finalise']);
  });

  it('keeps the browser going for a second when the agent acted before it left', () => {
    const { state, effects } = play(armed, started, action(9), exited(10));
    expect(state.phase).toBe('Stopping');
    expect(effects).toEqual(['stopAgent']);
    expect(play(armed, started, action(9), exited(10), tick(11)).effects).toContain('finalise');
  });

  it('ends at the time limit, counted from the start of the agent', () => {
    const late = play(armed, started, action(1790), tick(1801.9));
    expect(late.state.phase).toBe('Running');
    expect(play(armed, started, action(1790), tick(1802)).state.cause).toEqual({ kind: 'timeLimit' });
  });

  it('ends an agent without a new action for 300 s, and keeps the longest silence', () => {
    const { state } = play(armed, action(1), started, action(100), tick(400));
    expect(state).toMatchObject({ cause: { kind: 'idle' }, longestIdleMs: 300_000 });
    expect(play(armed, action(1), started, action(200), action(240), tick(401)).state).toMatchObject({
      phase: 'Running',
      longestIdleMs: 198_000,
    });
  });

  it('takes a requested stop for just that', () => {
    expect(play(armed, started, [5, { type: 'stopRequested' }]).state.cause).toEqual({ kind: 'stopRequested' });
  });
});

it('remembers that the body of the blocked request could not be read', () => {
  expect(play(armed, started, intercepted(10)).state.bodyUnavailable).toBe(false);
  const unread = [10, { type: 'intercepted', bodyUnavailable: true }] as const;
  expect(play(armed, started, unread).state).toMatchObject({ cause: { kind: 'intercepted' }, bodyUnavailable: true });
});

describe('which cause wins', () => {
  it.each([
    ['a loss after the match', [armed, started, intercepted(10), lost(11)], 'intercepted'],
    ['a match after a loss', [armed, started, lost(10), intercepted(10.1)], 'infrastructure'],
    [
      'a match in the second after the agent exited',
      [armed, started, action(9), exited(10), intercepted(10.4)],
      'intercepted',
    ],
    [
      'a match when that second is over',
      [armed, started, action(9), exited(10), tick(11), intercepted(11.1)],
      'agentExited',
    ],
    ['a match after the time limit', [armed, started, action(1790), tick(1802), intercepted(1802.1)], 'timeLimit'],
    ['the exit of the agent after the match', [armed, started, intercepted(10), exited(10.2)], 'intercepted'],
  ] as const)('%s → %s', (_name, events, kind) => {
    expect(play(...events).state.cause?.kind).toBe(kind);
  });

  it('reports an escape whatever happened before, and freezes', () => {
    const { state, effects } = play(armed, started, intercepted(10), [11, { type: 'escape', url: 'https://x.test/' }]);
    expect(state.cause).toEqual({ kind: 'escape', url: 'https://x.test/' });
    expect(effects.at(-1)).toBe('freeze');
  });
});

describe('the deadlines', () => {
  it.each([
    ['setup', [tick(120)], 'SetupTimeout'],
    ['agent start', [armed, tick(121)], 'AgentStartTimeout'],
  ] as const)('%s', (_name, events, reason) => {
    const { state, effects } = play(...events);
    expect(state).toMatchObject({ phase: 'Finalising', cause: { kind: 'infrastructure', reason } });
    expect(effects).toContain('finalise');
  });

  it('stops waiting for an agent that does not exit, later than the shim kills it', () => {
    const stuck = [armed, started, intercepted(10)] as const;
    expect(play(...stuck, tick(24)).state.phase).toBe('Stopping');
    expect(play(...stuck, tick(25)).state.phase).toBe('Finalising');
  });

  it('gives up on evidence after finalise and upload, once', () => {
    const done = [armed, started, exited(3)] as const;
    expect(play(...done, tick(362)).effects).not.toContain('abortFinalise');
    const { state, effects } = play(...done, tick(363), tick(364));
    expect(effects.filter((effect) => effect === 'abortFinalise')).toHaveLength(1);
    expect(nextDeadline(state, limits)).toBeNull();
  });
});

describe('stops from outside', () => {
  it('stops the agent and waits for it when there is time', () => {
    const { state, effects } = play(armed, started, terminate(5, false));
    expect(state).toMatchObject({ phase: 'Stopping', cause: deleted, podTerminating: false });
    expect(effects).toEqual(['freeze', 'stopAgent']);
  });

  it('saves and reports what there is when two seconds are left', () => {
    const { state, effects } = play(armed, started, terminate(5, true));
    expect(state).toMatchObject({ phase: 'Finalising', podTerminating: true });
    expect(effects).toEqual(['freeze', 'stopAgent', 'flush', 'reportNow', 'freeze', 'finalise']);
  });

  it('does not overwrite an earlier cause', () => {
    const { state, effects } = play(armed, started, intercepted(4), terminate(5, true));
    expect(state).toMatchObject({ phase: 'Finalising', cause: { kind: 'intercepted' } });
    expect(effects).toContain('reportNow');
  });

  it('ignores every event once it is done', () => {
    const done = play(armed, started, exited(3), [4, { type: 'finalised' }]);
    expect(done.state.phase).toBe('Done');
    expect(step(done.state, { type: 'escape', at: T, url: 'x' }, limits)).toEqual({ state: done.state, effects: [] });
  });
});

describe('an exit that the shim reports', () => {
  it("is not the agent's when the Pod is being deleted", () => {
    expect(play(armed, started, action(9), exited(10, { exitCode: 143, external: deleted })).state).toMatchObject({
      phase: 'Finalising',
      cause: deleted,
    });
  });

  it('is not a failed start once an agent runs, whatever it claims', () => {
    expect(play(armed, started, exited(10, { startError: 'pretended' })).state.cause?.kind).toBe('agentExited');
  });
});

describe('the start of the agent', () => {
  it('counts only when armed', () => {
    expect(play(started).state.phase).toBe('Setup');
    expect(play(armed, lost(1.5), started).state.phase).toBe('Finalising');
  });

  it('that failed is infrastructure, with the reason of the shim', () => {
    expect(play(armed, exited(2, { exitCode: 127, startError: 'no such file' })).state.cause).toMatchObject({
      reason: 'HarnessStartFailed',
      message: 'The harness could not be started: no such file.',
    });
  });
});
