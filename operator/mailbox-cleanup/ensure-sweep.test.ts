import { describe, expect, it, vi } from 'vitest';
import { ForeignObject } from '../../kube/ensure-owned.ts';
import { ApiError } from '../../kube/errors.ts';
import { playStandaloneRun } from '../standalone-run/standalone-run.fixture.ts';
import { play } from '../testing/play.fixture.ts';
import { World, type Write } from '../testing/world.fixture.ts';
import { deleteSweepJob, ensureSweepJob, SweepJobActive } from './ensure-sweep.ts';
import { A_BATCH, A_JOB, A_RUN, MAIL_WITH_MAILBOXES } from './sweep-job.fixture.ts';
import { buildSweepJob } from './sweep-job.ts';

const context = { run: A_RUN, batch: A_BATCH, place: {} } as Parameters<typeof ensureSweepJob>[1];
const isSweep = ({ name }: Write): boolean => name.startsWith('sweep-');

describe('a sweep Job that exists before its attempt starts', () => {
  const released = { spec: { ...A_JOB.spec, suspend: false } };
  const condition = (type: string): object => ({ status: { conditions: [{ type, status: 'True' }] } });
  const going = { metadata: { ...A_JOB.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };

  it.each<[string, object, 'kept' | 'replaced' | 'rejected']>([
    ['suspended', {}, 'kept'],
    ['suspended, with the condition set', condition('Suspended'), 'kept'],
    ['running', released, 'rejected'],
    ['running after a failed try', { ...released, ...condition('FailureTarget') }, 'rejected'],
    ['succeeded', { ...released, ...condition('Complete') }, 'replaced'],
    ['failed', { ...released, ...condition('Failed') }, 'replaced'],
    ['suspended again, its pod still running', { status: { active: 1 } }, 'rejected'],
    ['suspended again, its pod terminating', { status: { active: 0, terminating: 1 } }, 'rejected'],
    ['suspended again, its pod gone', { status: { active: 0, terminating: 0 } }, 'kept'],
    ['suspended and being deleted', going, 'rejected'],
    ['succeeded and being deleted', { ...released, ...condition('Complete'), ...going }, 'rejected'],
  ])('%s', async (_, change, expected) => {
    const world = new World();
    const { uid } = world.put('jobs', { ...A_JOB, ...change }).metadata;
    const ensured = ensureSweepJob(world.deps(), context, 2);
    if (expected === 'rejected') await expect(ensured).rejects.toBeInstanceOf(SweepJobActive);
    else await ensured;
    const job = world.find('jobs', A_JOB.metadata.name) as typeof A_JOB | undefined;
    expect(job?.metadata.uid === uid).toBe(expected !== 'replaced');
    if (expected !== 'rejected') expect(job?.spec?.suspend).toBe(true);
  });

  it.each<[string, object]>([
    ['no annotation of ours', { labels: {}, annotations: {} }],
    ['the annotation of another run', { annotations: { 'claw-bench.com/run-uid': 'other' } }],
    ['the label of another attempt', { labels: { ...A_JOB.metadata.labels, 'claw-bench.com/attempt': '3' } }],
  ])('of somebody else, with %s: stays unchanged, and no Pod is created', async (_, change) => {
    const world = new World();
    const before = world.put('jobs', { ...A_JOB, metadata: { ...A_JOB.metadata, ...change } });
    await expect(ensureSweepJob(world.deps(), context, 2)).rejects.toBeInstanceOf(ForeignObject);
    expect(world.find('jobs', A_JOB.metadata.name)).toEqual(before);
  });

  it('is waited for by its run, which says so, creates no Pod in the meantime, and continues', async () => {
    const jobs = (world: World): void => {
      const uid = world.stores.clawbenchruns.get('bench/mine')?.metadata.uid ?? '';
      const run = { ...A_RUN, metadata: { ...A_RUN.metadata, name: 'mine', uid } };
      world.put('jobs', { ...A_JOB, ...released, metadata: buildSweepJob(run, A_BATCH, 1, 'judge:1').metadata });
    };
    const playAndCheck = await playStandaloneRun({
      change: { mail: MAIL_WITH_MAILBOXES },
      event: (world, turn) => turn === 0 && jobs(world),
      turns: 1,
    });
    const pods = playAndCheck.world.stores.pods.list().map(({ metadata }) => metadata.name);
    expect([playAndCheck.run().phase, pods.filter((name) => name.startsWith('mine-'))]).toEqual(['Queued', []]);
    expect(playAndCheck.run().pendingReason).toMatch(/^Job sweep-\S+ of this attempt has not finished yet\.$/);
    await playAndCheck.turn(20);
    expect(playAndCheck.says()).toMatch(/^Complete\//);
  });
});

describe('the deletion of the sweep Job of an attempt whose mailbox is gone', () => {
  const answers = (status: number): World['kill'] => {
    const no = (method: string, path: string): ApiError =>
      new ApiError({ status, reason: '', message: 'no', method, path });
    return (write) => {
      if (write.verb === 'DELETE' && isSweep(write)) throw no(write.verb, write.path);
      return null;
    };
  };

  it('does not keep a run from ending when it is always rejected', async () => {
    const end = await play({ change: { mail: MAIL_WITH_MAILBOXES }, kill: answers(403), turns: 60 });
    expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
    expect([end.phase, end.kubelet.mailboxes.size]).toEqual(['Complete', 0]);
  });

  it('is logged when it is rejected, and repeated after a temporary error', async () => {
    const world = new World();
    const deps = world.deps();
    world.put('jobs', A_JOB);
    const warn = vi.spyOn(deps.log, 'warn');
    world.kill = answers(403);
    await deleteSweepJob(deps, context, 2);
    const of = { namespace: 'bench', run: A_RUN.metadata.name, attempt: 2, job: A_JOB.metadata.name };
    expect(warn.mock.calls).toEqual([[expect.objectContaining(of), expect.any(String)]]);
    world.kill = answers(500);
    await expect(deleteSweepJob(deps, context, 2)).rejects.toMatchObject({ status: 500 });
  });
});
