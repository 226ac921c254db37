import { afterEach, describe, expect, it, vi } from 'vitest';
import { podName } from '../../benchmark/protocol/names.ts';
import type { ApiCall, KubeClient } from '../../kube/client.ts';
import { ApiError, ApiUnreachable } from '../../kube/errors.ts';
import { ownerReference, type KubeObject, type Live } from '../../kube/object.ts';
import type { PodObject } from '../pod/pod-status.ts';
import { aPod } from '../pod/pod.fixture.ts';
import { applyRunDecision } from '../run/apply-action.ts';
import { playStandaloneRun } from '../standalone-run/standalone-run.fixture.ts';
import type { Fate } from '../testing/kubelet.fixture.ts';
import {
  INTERCEPTED,
  collectGarbage,
  editBatchSpec,
  play,
  type PlayResult,
  type Play,
} from '../testing/play.fixture.ts';
import { World } from '../testing/world.fixture.ts';
import { A_BATCH, A_JOB, A_RUN, MAIL_WITH_MAILBOXES } from './sweep-job.fixture.ts';
import { sweptAttempt } from './sweep-job.ts';
import { createSweeper, startSweeper } from './sweeper.ts';

afterEach(() => void vi.useRealTimers());

const dies = (_run: string, attempt: number): Fate => (attempt === 1 ? 'OOMKilled' : INTERCEPTED);
const sweepJobs = (world: World): string[] =>
  world.stores.jobs.list().flatMap(({ metadata }) => (metadata.name.startsWith('sweep-') ? [metadata.name] : []));

/** Plays, and checks at every turn that each mailbox has a sweep Job or a pod. */
async function playAndCheck(input: Play): Promise<PlayResult & { left: string[] }> {
  const end = await play({ turns: 60, ...input, change: { mail: MAIL_WITH_MAILBOXES, ...input.change } });
  for (const box of end.kubelet.mailboxes) expect(sweepJobs(end.world)).toContain(`sweep-${box}`);
  await end.playTurns(12);
  return { ...end, left: [...end.kubelet.mailboxes, ...sweepJobs(end.world)] };
}

/** Deletes the batch with everything that it owns, and kills the pods, without a second for anything else. */
function deleteAll(world: World): void {
  world.remove('clawbenchbatches', 'nightly');
  collectGarbage(world);
}

describe('a batch with mail', () => {
  it('whose Pods end normally needs no sweep', async () => {
    const end = await playAndCheck({});
    expect([end.left, end.kubelet.sweeps, end.phase]).toEqual([[], [], 'Complete']);
  });

  it('has the mailbox of a Pod that died removed, once, and continues', async () => {
    const end = await playAndCheck({ fate: dies });
    expect([end.left, end.kubelet.sweeps.length, end.phase]).toEqual([[], 4, 'Complete']);
    expect(new Set(end.kubelet.sweeps).size).toBe(4);
  });

  it.each(['None', 'Static'] as const)('of %s has nothing to sweep', async (provider) => {
    const seen: string[] = [];
    await play({
      change: { mail: { ...MAIL_WITH_MAILBOXES, provider } },
      event: (world) => seen.push(...sweepJobs(world)),
    });
    expect(seen).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, turn) => turn))(
    'deleted at turn %i with its Pods killed: leaves no mailbox',
    async (at) => {
      const end = await playAndCheck({ fate: dies, event: (world, turn) => turn === at && deleteAll(world) });
      expect(end.left).toEqual([]);
    },
  );

  it('keeps the mailbox of a Pod that outlives its batch until that Pod is gone', async () => {
    let deletedAt: number | undefined;
    let seen: (boolean | undefined)[] = [];
    const end = await playAndCheck({
      event: (world, turn) => {
        const jobs = world.stores.jobs.list().filter((job) => sweptAttempt(job) !== null);
        if (turn - 1 === deletedAt) seen = jobs.map(({ spec }) => spec?.suspend);
        if (deletedAt !== undefined || jobs.length === 0) return;
        deletedAt = turn;
        world.remove('clawbenchbatches', 'nightly');
        for (const { metadata } of world.stores.clawbenchruns.list()) world.remove('clawbenchruns', metadata.name);
      },
    });
    expect([seen, end.left]).toEqual([[true, true], []]);
  });

  it('a run that is deleted alone leaves no mailbox, and its successor keeps its own', async () => {
    const end = await playAndCheck({
      event: (world, turn) => {
        const [run] = world.stores.clawbenchruns.list();
        if (turn === 5 && run !== undefined) world.remove('clawbenchruns', run.metadata.name);
        collectGarbage(world);
      },
    });
    expect([end.left, end.phase]).toEqual([[], 'Complete']);
  });

  it('its Job stays suspended while a quota keeps the Pod from being created', async () => {
    const full = new ApiError({
      status: 403,
      reason: 'Forbidden',
      message: 'exceeded quota',
      method: 'POST',
      path: '',
    });
    let seen: (boolean | undefined)[] = [];
    let free = false;
    const end = await playAndCheck({
      kill: ({ verb, path }) => {
        if (verb === 'POST' && path.endsWith('/pods') && !free) throw full;
        return null;
      },
      event: (world, turn) => {
        if (turn !== 30) return;
        free = true;
        seen = world.stores.jobs.list().flatMap((job) => (sweptAttempt(job) === null ? [] : [job.spec?.suspend]));
      },
      turns: 90,
    });
    expect([seen, end.left, end.kubelet.sweeps]).toEqual([[true, true], [], []]);
  });
});

describe('an operator that is killed', () => {
  const gone = (world: World, turn: number): void => {
    if (turn === 8) deleteAll(world);
  };
  it.each([
    ['of a batch that is deleted in the meantime', gone],
    ['of a batch that is not deleted', () => undefined],
  ])(
    'after any single write %s: leaves no mailbox and no Job',
    async (_, event) => {
      const { writes } = await playAndCheck({ fate: dies, event });
      expect(writes).toBeGreaterThan(20);
      for (let victim = 0; victim < writes; victim += 1) {
        for (const when of ['before', 'after'] as const) {
          const kill = (_write: unknown, index: number): typeof when | null => (index === victim ? when : null);
          const end = await playAndCheck({ fate: dies, event, kill });
          expect(end.left, `${when} write ${String(victim)}`).toEqual([]);
        }
      }
    },
    120_000,
  );
});

describe('a standalone run', () => {
  it('has the mailbox of its dead Pod removed, even when the run is deleted', async () => {
    const end = await playStandaloneRun({
      change: { mail: MAIL_WITH_MAILBOXES, retry: { infrastructureLimit: 0 } },
      fate: () => 'OOMKilled',
    });
    expect([...end.kubelet.mailboxes, ...sweepJobs(end.world)]).toEqual([]);
    expect(end.kubelet.sweeps).toHaveLength(1);
    const again = await playStandaloneRun({ change: { mail: MAIL_WITH_MAILBOXES }, turns: 1 });
    again.world.remove('clawbenchruns', 'mine');
    collectGarbage(again.world);
    expect([again.kubelet.mailboxes.size, sweepJobs(again.world).length]).toEqual([1, 1]);
    await again.turn(6);
    expect([...again.kubelet.mailboxes, ...sweepJobs(again.world)]).toEqual([]);
  });
});

it('a failed sweep is reported once, and of 200 Jobs eight at a time are resumed', async () => {
  const { world, kubelet } = await play({ change: { mail: MAIL_WITH_MAILBOXES }, turns: 1 });
  const reported: string[] = [];
  const deps = world.deps();
  const events = {
    ...deps.events,
    event: (_: unknown, _t: string, reason: string, message: string) => reported.push(`${reason}: ${message}`),
  };
  const sweepOnce = createSweeper({ ...deps, events });
  const put = (name: string, change: object): Live<KubeObject> =>
    world.put('jobs', { ...A_JOB, ...change, metadata: { ...A_JOB.metadata, name } });
  const failed = put('sweep-failed', {
    status: { conditions: [{ type: 'Failed', status: 'True', message: 'no more tries' }] },
  });
  // Sorted by name, the first try comes first, the last one last, and the one between them last but one.
  for (const [name, minute, message] of [
    ['a', 1, 'no answer'],
    ['b', 9, 'check the key apiKey'],
    ['c', 5, 'no answer either'],
  ] as const) {
    world.now = minute * 60_000;
    const terminated = { exitCode: 1, message: JSON.stringify({ message }) };
    world.put('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `sweep-failed-${name}`, ownerReferences: [ownerReference(failed)] },
      status: { phase: 'Failed', containerStatuses: [{ name: 'main', state: { terminated } }] },
    } as KubeObject);
  }
  for (let index = 0; index < 200; index += 1) put(`sweep-${String(index)}`, {});
  const running = (): number => world.stores.jobs.list().filter(({ spec }) => spec?.suspend === false).length;
  await sweepOnce();
  expect(running()).toBe(8);
  await sweepOnce();
  expect(running()).toBe(8);
  for (let turn = 0; turn < 120; turn += 1) {
    kubelet.turn();
    await sweepOnce();
    expect(running()).toBeLessThanOrEqual(8);
  }
  expect(sweepJobs(world)).toEqual(['sweep-failed']);
  const whose = 'The mailbox of attempt 2 of run nightly-0123456789ab could not be removed';
  expect(reported).toEqual([`MailboxLeft: ${whose}: check the key apiKey`]);
});

/** That many sweep Jobs of attempts that have ended, in a world that responds as `kill` says. */
function withJobs(count: number, kill: World['kill'] = () => null): World {
  const world = new World();
  world.kill = kill;
  for (let index = 0; index < count; index += 1)
    world.put('jobs', { ...A_JOB, metadata: { ...A_JOB.metadata, name: `sweep-${String(index).padStart(2, '0')}` } });
  return world;
}
const resumedJobs = (world: World): string[] =>
  world.stores.jobs.list().flatMap(({ metadata, spec }) => (spec?.suspend === false ? [metadata.name] : []));

describe('a Job whose call fails', () => {
  const no = (status: number): Error =>
    new ApiError({ status, reason: '', message: 'no', method: 'PATCH', path: '/jobs/sweep-00' });
  it.each([
    ['is rejected', no(403)],
    ['meets a server error', no(500)],
    ['gets no response', new ApiUnreachable('gone', { timedOut: true })],
    ['hits a programming error', new TypeError('x is not a function')],
  ])('because it %s does not keep the others from their turn, and is logged', async (_, error) => {
    const world = withJobs(2, ({ name }) => {
      if (name === 'sweep-00') throw error;
      return null;
    });
    const deps = world.deps();
    const warn = vi.spyOn(deps.log, 'warn');
    await createSweeper(deps)();
    expect(resumedJobs(world)).toEqual(['sweep-01']);
    const whose = { err: error, namespace: 'bench', run: 'nightly-0123456789ab', attempt: 2 };
    expect(warn.mock.calls).toEqual([[whose, expect.any(String)]]);
  });

  it('takes no slot from those that run, unless it may have been resumed', async () => {
    const failing = (error: Error): World =>
      withJobs(20, ({ name }) => {
        if (name < 'sweep-05') throw error;
        return null;
      });
    const [rejected, unknown] = [failing(no(403)), failing(new ApiUnreachable('gone', { timedOut: true }))];
    await createSweeper(rejected.deps())();
    await createSweeper(unknown.deps())();
    expect([resumedJobs(rejected).length, resumedJobs(unknown).length]).toEqual([8, 3]);
  });
});

describe('eight sweeps that cannot end', () => {
  it('do not delay those of another namespace', async () => {
    const world = withJobs(9);
    const other = { name: 'sweep-other', namespace: 'other' };
    world.put('jobs', { ...A_JOB, metadata: { ...A_JOB.metadata, ...other } });
    await createSweeper(world.deps())();
    await createSweeper(world.deps())();
    expect(resumedJobs(world).filter((name) => name !== other.name)).toHaveLength(8);
    expect(world.writes.filter(({ path }) => path.includes('/namespaces/other/'))).toHaveLength(2);
  });

  it.each([
    ['cancelled', (world: World) => editBatchSpec(world, { cancel: true })],
    ['waiting too long', (world: World) => (world.now += 3_600_000)],
  ])('are not caused by Pods that never had a node: %s', async (_, ends) => {
    const canBeResumed = (world: World): void => {
      for (const pod of world.stores.pods.list())
        if (pod.metadata.labels?.['claw-bench.com/attempt'] !== undefined && pod.status === undefined)
          world.put('pods', { ...pod, status: { phase: 'Pending' } } as KubeObject);
    };
    const sweeps = new Set<string>();
    const end = await play({
      change: { mail: MAIL_WITH_MAILBOXES, retry: { infrastructureLimit: 0 } },
      turns: 60,
      job: (name) => (/^nightly-[0-9a-f]{12}$/.test(name) || name.startsWith('sweep-') ? 'stuck' : undefined),
      event: (world, turn) => {
        canBeResumed(world);
        for (const name of sweepJobs(world)) sweeps.add(name);
        if (turn % 12 === 11) ends(world);
      },
    });
    expect(sweeps.size).toBeGreaterThan(0);
    expect([sweepJobs(end.world), end.kubelet.mailboxes.size]).toEqual([[], 0]);
  });

  it('are caused by a Pod that got a node while it was being deleted: its mailbox is not forgotten', async () => {
    const world = new World();
    const pod = world.put('pods', aPod().named('p', 2).build() as unknown as KubeObject) as unknown as PodObject;
    world.put('jobs', A_JOB);
    const context = { run: A_RUN, batch: A_BATCH, taskEntry: {} } as Parameters<typeof applyRunDecision>[1];
    const decision = { status: {}, requeueAt: null, actions: [{ type: 'delete', pod, how: 'unscheduled' }] } as const;
    world.put('pods', { ...pod, spec: { nodeName: 'node-1' } } as unknown as KubeObject);
    await applyRunDecision(world.deps(), context, decision);
    expect(sweepJobs(world)).toEqual([A_JOB.metadata.name]);
    world.remove('pods', 'p');
    await applyRunDecision(world.deps(), context, decision);
    expect(sweepJobs(world)).toEqual([A_JOB.metadata.name]);
  });
});

describe('a mailbox in use', () => {
  const owner = { apiVersion: 'claw-bench.com/v1alpha1', kind: 'ClawBenchRun', name: 'r', uid: 'run-uid' };
  const works = (ownerReferences: object[]): World => {
    const world = withJobs(1);
    const pod = aPod().named(podName(A_RUN.metadata.name, 2), 2).working().build();
    world.put('pods', { ...pod, metadata: { ...pod.metadata, ownerReferences } } as unknown as KubeObject);
    return world;
  };

  it.each([
    ['kept while its Pod works, orphaned by the deletion of its run', [], []],
    ['not that of a Pod of another run', [{ ...owner, controller: true, uid: 'other' }], ['sweep-00']],
  ])('is %s', async (_, owners, swept) => {
    const world = works(owners);
    await createSweeper(world.deps())();
    expect(resumedJobs(world)).toEqual(swept);
  });

  it('has its Job suspended again when somebody else resumed it, with a warning', async () => {
    const world = works([{ ...owner, controller: true }]);
    const [job] = world.stores.jobs.list();
    world.put('jobs', { ...A_JOB, ...job, spec: { ...A_JOB.spec, suspend: false } } as KubeObject);
    const deps = world.deps();
    const warn = vi.spyOn(deps.log, 'warn');
    await createSweeper(deps)();
    expect(resumedJobs(world)).toEqual([]);
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ attempt: 2 }), expect.stringContaining('suspended')]]);
  });

  it('is never decided from the cache alone: the Job that the operator resumed continues', async () => {
    const world = works([{ ...owner, controller: true }]);
    const [job] = world.stores.jobs.list();
    world.put('jobs', { ...A_JOB, ...job, spec: { ...A_JOB.spec, suspend: false } } as KubeObject);
    world.lagging = true;
    world.remove('pods', podName(A_RUN.metadata.name, 2));
    await createSweeper(world.deps())();
    expect(resumedJobs(world)).toEqual(['sweep-00']);
  });
});

describe('the round every half minute', () => {
  it('starts when the caches are synced', async () => {
    vi.useFakeTimers();
    const world = withJobs(1);
    const cachesSynced = Promise.withResolvers<void>();
    const sweeper = startSweeper(world.deps(), cachesSynced.promise);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(resumedJobs(world)).toEqual([]);
    cachesSynced.resolve();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(resumedJobs(world)).toEqual(['sweep-00']);
    await sweeper.stop();
  });

  it.each(['resolve', 'reject'] as const)(
    'does not start when the sweeper was stopped before that: %s',
    async (how) => {
      vi.useFakeTimers();
      const world = withJobs(1);
      const cachesSynced = Promise.withResolvers<void>();
      const sweeper = startSweeper(world.deps(), cachesSynced.promise);
      await sweeper.stop();
      cachesSynced[how]();
      await vi.advanceTimersByTimeAsync(120_000);
      expect(resumedJobs(world)).toEqual([]);
    },
  );

  it('has ended when stop resolves, and makes no call after the current one', async () => {
    vi.useFakeTimers();
    const world = withJobs(3);
    const deps = world.deps();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const client = {
      request: async (call: ApiCall) => {
        asked.resolve();
        await answer.promise;
        return deps.client.request(call);
      },
    } as unknown as KubeClient;
    const sweeper = startSweeper({ ...deps, client }, Promise.resolve());
    await vi.advanceTimersByTimeAsync(30_000);
    await asked.promise;
    let isOver = false;
    const stopped = sweeper.stop().then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([isOver, resumedJobs(world)]).toEqual([false, []]);
    answer.resolve();
    await stopped;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(resumedJobs(world)).toEqual(['sweep-00']);
  });
});
