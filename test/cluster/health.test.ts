import { describe, expect, it } from 'vitest';
import { PROCESSES, SERVICES, stateOf, type PartHealth } from './health.ts';

const all = [...PROCESSES, ...Object.keys(SERVICES)];
const well: PartHealth[] = all.map((part) => ({ part, ok: true, detail: 'pid 1' }));
const absent: PartHealth[] = all.map((part) => ({
  part,
  ok: false,
  detail: PROCESSES.includes(part) ? 'not started' : 'refused',
}));

describe('the state of the cluster', () => {
  it('is up when every part is well', () => {
    expect(stateOf(well)).toEqual({ state: 'up' });
  });

  it('is down when nothing was started', () => {
    expect(stateOf(absent)).toEqual({ state: 'down' });
  });

  it('is broken, and says by what, when one process ended', () => {
    const broken = { part: 'etcd', ok: false, detail: 'ended' };
    expect(stateOf(well.map((part) => (part.part === 'etcd' ? broken : part)))).toEqual({
      state: 'broken',
      broken: [broken],
    });
  });

  it('is silent, not broken, while all processes live: a busy machine is not a reason to start again', () => {
    const silent = { part: 'API ready', ok: false, detail: 'The operation was aborted' };
    expect(stateOf(well.map((part) => (part.part === 'API ready' ? silent : part)))).toMatchObject({ state: 'silent' });
  });

  it('is broken, not down, when something else answers in its place', () => {
    const state = stateOf([...absent.slice(1), ...well.slice(0, 1)]);
    expect(state.state).toBe('broken');
  });
});
