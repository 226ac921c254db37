import { describe, expect, it } from 'vitest';
import type { SweepStatus } from '../../crds/status/shared.ts';
import { batchRun } from '../../crds/samples.fixture.ts';
import { runSpec } from '../../crds/run.ts';
import type { Live } from '../../kube/object.ts';
import type { Run } from '../kinds.ts';
import { sweepStep, type SweepDecision, type SweepInput } from './sweep-step.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const aRun = (uid: string, attempt: number): Live<Run> =>
  ({ metadata: { name: uid, uid }, spec: runSpec.parse(batchRun()), status: { attempt } }) as Live<Run>;
const runs = [aRun('u1', 2), aRun('u2', 1), aRun('never-started', 0)];
const mail = { provider: 'PurelyMail' as const, secretRef: { name: 'mail' } };

const step = (last: SweepStatus | undefined, more: Partial<SweepInput> = {}): SweepDecision =>
  sweepStep(last, { batch: 'b', mail, runs, job: null, settled: true, pendingSeconds: 60, now: NOW, ...more });
const active: SweepStatus = { number: 1, name: 'b-sweep-1' };
const view = (state: object, attempts = 3): Partial<SweepInput> => ({
  job: { view: { since: NOW, ...state } as never, attempts },
});

describe('mailboxes that Pods may have left', () => {
  it('are removed by one Job when all agents are done: each attempt that was ever started', () => {
    expect(step(undefined)).toEqual({
      sweep: { number: 1, name: 'b-sweep-1', retryTime: undefined },
      actions: [
        {
          type: 'startSweep',
          number: 1,
          rows: [
            { uid: 'u1', attempts: 2 },
            { uid: 'u2', attempts: 1 },
          ],
        },
      ],
      checkAt: null,
      open: true,
    });
  });

  it.each([
    ['while agents are to come', { settled: false }],
    ['without mail', { mail: { provider: 'None' as const } }],
    ["of the user's own", { mail: { ...mail, provider: 'Static' as const } }],
    ['of runs that never started', { runs: [aRun('u', 0)] }],
  ])('are none %s', (_what, more) => {
    expect(step(undefined, more)).toEqual({ sweep: undefined, actions: [], checkAt: null, open: false });
  });

  it('are swept once, and again after a rerun', () => {
    const done = step(active, view({ state: 'Done', message: { ok: true, removed: 2, failed: 0, message: 'gone' } }));
    expect(done).toMatchObject({ sweep: { number: 1, swept: 3, message: 'gone' }, actions: [], open: false });
    expect(done.sweep?.name).toBeUndefined();
    expect(step(done.sweep).actions).toEqual([]);
    expect(step(done.sweep, { runs: [aRun('u1', 1)] }).actions).toEqual([]);
    expect(step(done.sweep, { runs: [aRun('u1', 3), aRun('u2', 1)] }).actions).toMatchObject([{ number: 2 }]);
  });

  it('that a provider does not give up are tried again with a back-off, and not for ever', () => {
    const failed = view({ state: 'Done', message: { ok: false, removed: 0, failed: 2, message: 'no' } });
    const once = step(active, failed);
    expect(once).toMatchObject({ sweep: { failures: 1, message: 'no' }, checkAt: NOW + 10_000, open: true });
    expect(step(once.sweep)).toMatchObject({ actions: [], checkAt: NOW + 10_000, open: true });
    expect(step(once.sweep, { now: NOW + 10_000 }).actions).toMatchObject([{ type: 'startSweep', number: 2 }]);
    const last = step({ ...active, failures: 7 }, failed);
    expect(last).toMatchObject({ sweep: { failures: 8, message: 'no' }, open: false });
    expect(step(last.sweep, { now: NOW + 3_600_000 }).actions).toEqual([]);
  });

  it('wait for a Job that works, and not for one whose pod does not start', () => {
    expect(step(active, view({ state: 'Active', waiting: null }))).toMatchObject({ actions: [], open: true });
    expect(step(active, view({ state: 'Active', waiting: 'no node' }))).toMatchObject({ checkAt: NOW + 60_000 });
    const over = step(active, { ...view({ state: 'Active', waiting: 'no node' }), now: NOW + 60_000 });
    expect(over).toMatchObject({ actions: [{ type: 'deleteJob', name: 'b-sweep-1' }], sweep: { message: 'no node' } });
  });
});
