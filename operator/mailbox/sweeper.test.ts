import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Job } from '../../kube/kinds.ts';
import { ownerReference, type KubeObject, type Live } from '../../kube/object.ts';
import { aBatch } from '../batch/batch.fixture.ts';
import { aRun, playByHand } from '../by-hand/by-hand.fixture.ts';
import type { Fate } from '../kubelet.fixture.ts';
import type { Run } from '../kinds.ts';
import { CAUGHT, collectGarbage, play, type Ending, type Play } from '../play.fixture.ts';
import { aPod } from '../run/pod.fixture.ts';
import { ApiError } from '../../kube/errors.ts';
import type { World } from '../world.fixture.ts';
import { decideSweep, type SweepFacts } from './decide-sweep.ts';
import { buildSweepJob, sweptAttempt } from './sweep-job.ts';
import { createSweeper } from './sweeper.ts';

const mail = { provider: 'PurelyMail', secretRef: { name: 'mail' } } as const;
const A_RUN = {
  ...aRun(),
  metadata: { name: 'nightly-0123456789ab', namespace: 'bench', uid: 'run-uid' },
} as Live<Run>;
const A_JOB = { apiVersion: 'batch/v1', kind: 'Job', ...buildSweepJob(A_RUN, aBatch({ mail }), 2, 'judge:1') } as Job;

it('the Job of an attempt waits, belongs to nobody, asks nobody, and tells whose it is', async () => {
  const { apiVersion: _version, kind: _kind, ...object } = A_JOB;
  await expect(stringify(object, { aliasDuplicateObjects: false })).toMatchFileSnapshot('golden/sweep-job.yaml');
  expect(sweptAttempt(A_JOB)).toEqual({ run: 'nightly-0123456789ab', runUID: 'run-uid', attempt: 2 });
  expect(A_JOB.spec?.template.metadata?.labels).not.toHaveProperty(['claw-bench.com/run']);
});

describe('the Job of an attempt', () => {
  const over = { number: 2, podName: 'p', outcome: 'Infrastructure' } as const;
  const status = (change: ClawBenchRunStatus): ClawBenchRunStatus => ({ attempt: 2, attempts: [], ...change });
  const works = aPod().named('p', 2).working();
  const facts: SweepFacts = { job: A_JOB, attempt: 2, run: status({ attempts: [over] }), pod: null, now: 0 };
  const ended = (type: string): Job => ({ ...A_JOB, status: { conditions: [{ type, status: 'True', message: 'm' }] } });
  const released = { ...A_JOB, spec: { ...A_JOB.spec, suspend: false } } as Job;
  const lost = aPod().named('p', 2).working().deleted(0, 30).build();
  const goneAt = Date.parse(lost.metadata.deletionTimestamp ?? '');
  it.each<[string, Partial<SweepFacts>, string]>([
    ['its attempt is over and left no pod', {}, 'release'],
    ['its attempt is to come', { run: status({ attempt: 1 }) }, 'wait'],
    ['its attempt is under way', { run: status({ attempts: [{ number: 2, podName: 'p' }] }) }, 'wait'],
    ['its attempt is longer ago than the status remembers', { run: status({ attempt: 9 }) }, 'release'],
    [
      'its run was cancelled before the attempt began',
      { run: status({ attempt: 1, outcome: 'Cancelled' }) },
      'release',
    ],
    ['its run is gone', { run: null }, 'release'],
    ['its run is gone and the pod is not', { run: null, pod: works.build() }, 'wait'],
    ['its pod ended', { run: null, pod: aPod().named('p', 2).working().phase('Failed').build() }, 'release'],
    ['its pod was told to end', { run: null, pod: lost, now: goneAt + 59_000 }, 'wait'],
    ['its pod should be gone and is on a lost node', { run: null, pod: lost, now: goneAt + 60_000 }, 'release'],
    ['it runs', { job: released }, 'wait'],
    ['it is done', { job: ended('Complete') }, 'delete'],
    ['it gave up', { job: ended('Failed') }, 'tell'],
    ['it is suspended, which is a condition too', { job: ended('Suspended') }, 'release'],
  ])('%s', (_, change, expected) => expect(decideSweep({ ...facts, ...change }).do).toBe(expected));
});

const dies = (_run: string, attempt: number): Fate => (attempt === 1 ? 'OOMKilled' : CAUGHT);
const sweepJobs = (world: World): string[] =>
  world.stores.jobs.list().flatMap(({ metadata }) => (metadata.name.startsWith('sweep-') ? [metadata.name] : []));

/** Plays, and sees at every turn that each mailbox is written down somewhere. */
async function played(input: Play): Promise<Ending & { left: string[] }> {
  const end = await play({ turns: 60, ...input, change: { mail, ...input.change } });
  for (const box of end.kubelet.mailboxes) expect(sweepJobs(end.world)).toContain(`sweep-${box}`);
  await end.look(12);
  return { ...end, left: [...end.kubelet.mailboxes, ...sweepJobs(end.world)] };
}

/** Deletes the batch with all that is its own, and kills the pods: nobody has a second to do anything. */
function deleteAll(world: World): void {
  world.remove('clawbenchbatches', 'nightly');
  collectGarbage(world);
}

describe('a batch with mail', () => {
  it('whose Pods end in order needs no sweep', async () => {
    const end = await played({});
    expect([end.left, end.kubelet.sweeps, end.phase]).toEqual([[], [], 'Complete']);
  });

  it('has the mailbox of a Pod that died removed, once, and goes on', async () => {
    const end = await played({ fate: dies });
    expect([end.left, end.kubelet.sweeps.length, end.phase]).toEqual([[], 4, 'Complete']);
    expect(new Set(end.kubelet.sweeps).size).toBe(4);
  });

  it.each(['None', 'Static'] as const)('of %s has nothing to sweep', async (provider) => {
    const seen: string[] = [];
    await play({ change: { mail: { ...mail, provider } }, event: (world) => seen.push(...sweepJobs(world)) });
    expect(seen).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, turn) => turn))('deleted at turn %i, Pods killed: leaves none', async (at) => {
    const end = await played({ fate: dies, event: (world, turn) => turn === at && deleteAll(world) });
    expect(end.left).toEqual([]);
  });

  it('keeps the mailbox of a Pod that outlives its batch until that is gone', async () => {
    let deletedAt: number | undefined;
    let seen: (boolean | undefined)[] = [];
    const end = await played({
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

  it('a run that is deleted alone leaves none, and its successor keeps its own', async () => {
    const end = await played({
      event: (world, turn) => {
        const [run] = world.stores.clawbenchruns.list();
        if (turn === 5 && run !== undefined) world.remove('clawbenchruns', run.metadata.name);
        collectGarbage(world);
      },
    });
    expect([end.left, end.phase]).toEqual([[], 'Complete']);
  });

  it('its Job stays asleep while a quota keeps the Pod from being made', async () => {
    const full = new ApiError({
      status: 403,
      reason: 'Forbidden',
      message: 'exceeded quota',
      method: 'POST',
      path: '',
    });
    let seen: (boolean | undefined)[] = [];
    let free = false;
    const end = await played({
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
    ['of a batch that is deleted meanwhile', gone],
    ['of one that is not', () => undefined],
  ])(
    'after any one write %s: no mailbox is left, no Job either',
    async (_, event) => {
      const { writes } = await played({ fate: dies, event });
      expect(writes).toBeGreaterThan(20);
      for (let victim = 0; victim < writes; victim += 1) {
        for (const when of ['before', 'after'] as const) {
          const kill = (_write: unknown, index: number): typeof when | null => (index === victim ? when : null);
          const end = await played({ fate: dies, event, kill });
          expect(end.left, `${when} write ${String(victim)}`).toEqual([]);
        }
      }
    },
    120_000,
  );
});

describe('a run made by hand', () => {
  it('has the mailbox of its dead Pod removed, also when it is deleted', async () => {
    const end = await playByHand({ change: { mail, retry: { infrastructureLimit: 0 } }, fate: () => 'OOMKilled' });
    expect([...end.kubelet.mailboxes, ...sweepJobs(end.world)]).toEqual([]);
    expect(end.kubelet.sweeps).toHaveLength(1);
    const again = await playByHand({ change: { mail }, turns: 1 });
    again.world.remove('clawbenchruns', 'mine');
    collectGarbage(again.world);
    expect([again.kubelet.mailboxes.size, sweepJobs(again.world).length]).toEqual([1, 1]);
    await again.turn(6);
    expect([...again.kubelet.mailboxes, ...sweepJobs(again.world)]).toEqual([]);
  });
});

it('a sweep that gave up is told once, and 200 at a time are let run eight by eight', async () => {
  const { world, kubelet } = await play({ change: { mail }, turns: 1 });
  const told: string[] = [];
  const cluster = world.cluster();
  const events = {
    ...cluster.events,
    event: (_: unknown, _t: string, reason: string, message: string) => told.push(`${reason}: ${message}`),
  };
  const look = createSweeper({ ...cluster, events });
  const put = (name: string, change: object): Live<KubeObject> =>
    world.put('jobs', { ...A_JOB, ...change, metadata: { ...A_JOB.metadata, name } });
  const failed = put('sweep-failed', {
    status: { conditions: [{ type: 'Failed', status: 'True', message: 'no more tries' }] },
  });
  const terminated = { exitCode: 1, message: '{"message":"check the key apiKey"}' };
  const containerStatuses = [{ name: 'main', state: { terminated } }];
  world.put('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'sweep-failed-pod', ownerReferences: [ownerReference(failed)] },
    status: { phase: 'Failed', containerStatuses },
  } as KubeObject);
  for (let index = 0; index < 200; index += 1) put(`sweep-${String(index)}`, {});
  const running = (): number => world.stores.jobs.list().filter(({ spec }) => spec?.suspend === false).length;
  await look();
  expect(running()).toBe(8);
  await look();
  expect(running()).toBe(8);
  for (let turn = 0; turn < 120; turn += 1) {
    kubelet.turn();
    await look();
    expect(running()).toBeLessThanOrEqual(8);
  }
  expect(sweepJobs(world)).toEqual(['sweep-failed']);
  const whose = 'The mailbox of attempt 2 of run nightly-0123456789ab could not be removed';
  expect(told).toEqual([`MailboxLeft: ${whose}: check the key apiKey`]);
});
