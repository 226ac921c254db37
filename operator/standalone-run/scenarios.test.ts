import { describe, expect, it } from 'vitest';
import { runConfig, type RunConfig } from '../../benchmark/protocol/run-config.ts';
import { sha256Hex } from '../../benchmark/text/sha256.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Pod } from '../../kube/kinds.ts';
import { controllerOf, type KubeObject, type Live } from '../../kube/object.ts';
import { INTERCEPTED } from '../testing/play.fixture.ts';
import type { World } from '../testing/world.fixture.ts';
import { playStandaloneRun, TASK } from './standalone-run.fixture.ts';

const names = (world: World, plural: 'pods' | 'jobs'): string[] =>
  world.stores[plural].list().map((one) => one.metadata.name);
const edit = (world: World, spec: object): void => {
  const run = world.stores.clawbenchruns.get('bench/mine');
  if (run !== undefined) world.put('clawbenchruns', { ...run, spec: { ...run.spec, ...spec } } as KubeObject);
};
const podOf = (world: World): Live<Pod> | undefined => world.stores.pods.get('bench/mine-a1');
const configOf = (world: World): RunConfig => {
  const recorder = podOf(world)?.spec?.initContainers?.find((one) => one.name === 'recorder');
  const text = recorder?.env?.find((one) => one.name === 'CLAWBENCH_RUN')?.value ?? '';
  return runConfig.parse(JSON.parse(text));
};
const made = (world: World): string[] => world.writes.filter(({ verb }) => verb === 'POST').map(({ path }) => path);

describe('a standalone run', () => {
  it('is accepted, runs, is judged by a Job of its own, and is complete', async () => {
    const end = await playStandaloneRun({ fate: () => INTERCEPTED });
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
    expect(end.condition('Accepted')).toMatch(/^True Checked/);
    expect(end.condition('Complete')).toMatch(/^True JudgedMatch/);
    expect(end.run()).toMatchObject({ intercepted: true, verdicts: { Strict: { match: true } }, attempt: 1 });
    expect(names(end.world, 'jobs')).toEqual(['mine-judge-1']);
  });

  it('owns everything that was created for it, so that its deletion leaves nothing', async () => {
    const { world } = await playStandaloneRun({ fate: () => INTERCEPTED });
    const uid = world.stores.clawbenchruns.get('bench/mine')?.metadata.uid;
    const job = world.stores.jobs.get('bench/mine-judge-1');
    const list = world.find('configmaps', 'mine-judge-1');
    expect(list && controllerOf(list), 'it goes with its Job').toMatchObject({
      kind: 'Job',
      uid: job?.metadata.uid,
      blockOwnerDeletion: false,
    });
    for (const child of [job, world.find('configmaps', 'mine-task'), world.find('networkpolicies', 'mine-runs')]) {
      expect(child && controllerOf(child)).toMatchObject({ kind: 'ClawBenchRun', uid });
    }
  });

  it('shares the service account of its Job as long as it exists', async () => {
    const { world } = await playStandaloneRun({ fate: () => INTERCEPTED });
    const uid = world.stores.clawbenchruns.get('bench/mine')?.metadata.uid;
    for (const [plural, name] of [['serviceaccounts'], ['rolebindings']].map(([one]) => [one, 'clawbench-judge'])) {
      const owners = world.find(plural ?? '', name ?? '')?.metadata.ownerReferences;
      expect(owners?.map((owner) => owner.uid)).toEqual([uid]);
    }
  });

  it('gives its inline task to the recorder in a ConfigMap, with its hash; the judge expects no list', async () => {
    const { world } = await playStandaloneRun({ fate: () => INTERCEPTED, turns: 2 });
    const map = world.find('configmaps', 'mine-task') as KubeObject & { data: Record<string, string> };
    const text = map.data['mine.json'] ?? '';
    expect(JSON.parse(text)).toEqual(TASK);
    const config = configOf(world);
    expect(config).toMatchObject({
      batch: 'mine',
      caseName: 'mine',
      taskSha256: sha256Hex(text),
      runPrefix: 'm1/batch-mine--null--m1/m1/00001-01-mine',
    });
    expect(podOf(world)?.spec?.volumes).toContainEqual({ name: 'suite', configMap: { name: 'mine-task' } });
    const end = await playStandaloneRun({ fate: () => INTERCEPTED });
    expect(JSON.stringify(end.world.stores.jobs.get('bench/mine-judge-1'))).not.toContain('"/tasks"');
  });

  it('needs no Job when there is nothing to judge', async () => {
    const end = await playStandaloneRun();
    expect(end.says()).toBe('Complete/Failed/AgentExited');
    expect(end.condition('Complete')).toMatch(/^True AgentExited/);
    expect(names(end.world, 'jobs')).toEqual([]);
    expect(names(end.world, 'pods')).toEqual([]);
  });

  it('without a judge an interception passes', async () => {
    const end = await playStandaloneRun({ fate: () => INTERCEPTED, change: { judge: undefined } });
    expect(end.says()).toBe('Complete/Passed/Intercepted');
    expect(names(end.world, 'jobs')).toEqual([]);
  });

  it('is retried after an infrastructure failure; one that fails for good is closed by a Job, and its pod stays', async () => {
    const again = await playStandaloneRun({ fate: (attempt) => (attempt < 3 ? 'OOMKilled' : INTERCEPTED) });
    expect(again.says()).toBe('Complete/Passed/JudgedMatch');
    const lost = await playStandaloneRun({ fate: () => 'OOMKilled', change: { retry: { infrastructureLimit: 1 } } });
    expect(lost.says()).toBe('Complete/Infrastructure/OutOfMemory');
    expect(lost.run().closed).toBeDefined();
    expect(names(lost.world, 'pods')).toContain('mine-a2');
  });

  it('an end that the agent forged is closed by a Job, since its recorder did not', async () => {
    const end = await playStandaloneRun({ fate: () => ({ outcome: 'Infrastructure', reason: 'PodDeleted' }) });
    expect(end.says()).toBe('Complete/Failed/AgentExited');
    expect([end.run().attempt, names(end.world, 'jobs')]).toEqual([1, ['mine-judge-1']]);
    expect(end.run().closed).toBeDefined();
  });

  it('never touches the bundle of a namesake under its prefix', async () => {
    const claimed = { outcome: 'Infrastructure', reason: 'ClaimedByOther', evidence: 'None' } as const;
    const end = await playStandaloneRun({ fate: () => claimed });
    expect(end.says()).toBe('Complete/Infrastructure/ClaimedByOther');
    expect([end.run().attempt, names(end.world, 'jobs')]).toEqual([1, []]);
  });

  it('is the same whenever the operator is killed', async () => {
    const { writes } = (await playStandaloneRun({ fate: () => INTERCEPTED })).world;
    for (let victim = 0; victim < writes.length; victim += 1) {
      const kill: World['kill'] = (_write, index) => (index === victim ? 'after' : null);
      const end = await playStandaloneRun({ fate: () => INTERCEPTED, kill });
      expect(end.says(), `write ${String(victim)}`).toBe('Complete/Passed/JudgedMatch');
      expect(end.kubelet.seen.get('mine')?.size).toBe(1);
    }
  }, 30_000);
});

describe('what is wrong with it', () => {
  it.each([
    [{ budget: { costUSD: 1 } }, /^False UnsupportedField: spec\.budget\.costUSD is not supported/],
    [{ resume: true }, /^False UnsupportedField: spec\.resume/],
    [{ harness: { name: 'hermes' } }, /^False HarnessRefused: spec\.harness\.name hermes/],
    [{ harness: { name: 'mine' } }, /^False HarnessRefused: spec\.harness\.name mine is not a known harness/],
    [{ task: { inline: { instruction: 'x' } } }, /^False TaskInvalid: spec\.task\.inline: eval_schema/],
    [
      { task: { inline: { ...TASK, eval_schema: { url_pattern: '(?<=a)b', method: 'POST' } } } },
      /^False TaskInvalid: spec\.task\.inline: .*look/,
    ],
    [
      { task: { inline: { ...TASK, extra_info: [{ path: 'a.pdf', description: 'x' }] } } },
      /^False TaskInvalid: spec\.task\.inline: extra_info names the file a\.pdf/,
    ],
    [
      { task: { inline: { ...TASK, note: 'x'.repeat(1_000_000) } } },
      /^False TaskInvalid: spec\.task\.inline is larger than 1 MB/,
    ],
    [
      { podTemplate: { spec: { hostNetwork: true } } },
      /^False PodTemplateRefused: spec\.podTemplate\.spec\.hostNetwork/,
    ],
    [
      { task: { ref: { case: 'a' } }, suite: { name: 's', configMapRef: { name: 'nowhere' } } },
      /^False SuiteNotFound: spec\.suite\.configMapRef: ConfigMap nowhere .* not found/,
    ],
  ])('%.60j: one sentence, and nothing is created', async (change, expected) => {
    const { world, condition } = await playStandaloneRun({ change, turns: 5 });
    expect(condition('Accepted')).toMatch(expected);
    expect(condition('Complete')).toMatch(/^False NotAccepted/);
    expect(made(world)).toEqual([]);
  });

  it('a suite that is applied later is found, and its task taken by name', async () => {
    let rejected = '';
    let early: string | undefined = 'never looked';
    const suite = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 's' }, binaryData: { 'suite.tar.gz': 'x' } };
    const end = await playStandaloneRun({
      change: { task: { ref: { case: 'a' } }, suite: { name: 's', configMapRef: { name: 's' } } },
      event: (world, turn) => {
        if (turn === 4) {
          const { status } = world.find('clawbenchruns', 'mine') as Run;
          rejected = `${status?.task ?? ''} ${status?.reason ?? ''}: ${status?.message ?? ''}`;
          world.put('configmaps', suite);
        }
        if (turn === 6) early = (world.find('clawbenchruns', 'mine') as Run).status?.reason;
      },
      fate: () => INTERCEPTED,
    });
    expect(rejected).toMatch(/^a SuiteNotFound: .*ConfigMap s .*not found/);
    expect(early).toBeUndefined();
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
    expect(end.world.find('configmaps', 'mine-task')).toBeUndefined();
  });

  it('recorded actions that do not exist are named while the pod waits for them', async () => {
    const actions = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'actions' } };
    let said: string | undefined = '';
    const end = await playStandaloneRun({
      change: { harness: { name: 'replay', image: 'replay:1', references: { name: 'actions' } } },
      requireMounts: true,
      fate: () => INTERCEPTED,
      event: (world, turn) => {
        if (turn !== 8) return;
        said = (world.find('clawbenchruns', 'mine') as Run).status?.pendingReason;
        world.put('configmaps', actions);
      },
    });
    expect(said).toMatch(
      /^ConfigMap actions, which the pod mounts as volume references, does not exist in namespace bench;/,
    );
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
  });

  it("somebody else's object with a name that is needed is never touched; the run says so and continues without it", async () => {
    const stranger = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine-task' }, data: { mine: 'yes' } };
    const end = await playStandaloneRun({
      fate: () => INTERCEPTED,
      event: (world, turn) => {
        if (turn === 0) world.put('configmaps', stranger);
        if (turn === 8) world.remove('configmaps', 'mine-task');
      },
      turns: 7,
    });
    expect(end.run().pendingReason).toMatch(/bench\/mine-task already exists.*delete it/);
    expect(names(end.world, 'pods')).toEqual([]);
    await end.turn(15);
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
  });
});

describe('what a user may change', () => {
  it('suspend keeps it from starting, and it says so', async () => {
    const end = await playStandaloneRun({
      change: { suspend: true },
      event: (world, turn) => turn === 6 && edit(world, { suspend: false }),
      turns: 5,
    });
    expect(end.says()).toBe('Queued');
    expect(end.run().pendingReason).toMatch(/^spec\.suspend is true/);
    await end.turn(12);
    expect(end.says()).toBe('Complete/Failed/AgentExited');
  });

  it('cancel ends it: at once before it started, otherwise with what it has', async () => {
    const early = await playStandaloneRun({ change: { cancel: true }, turns: 2 });
    expect(early.says()).toBe('Complete/Cancelled/CancelledByUser');
    const late = await playStandaloneRun({ event: (world, turn) => turn === 1 && edit(world, { cancel: true }) });
    expect(late.says()).toBe('Complete/Cancelled/CancelledByUser');
    expect(late.kubelet.seen.get('mine')?.size).toBe(1);
  });

  it('another judge judges it again', async () => {
    const end = await playStandaloneRun({ fate: () => INTERCEPTED });
    edit(end.world, { judge: { ...end.world.stores.clawbenchruns.get('bench/mine')?.spec.judge, model: 'other' } });
    await end.turn(6);
    expect(names(end.world, 'jobs'), 'the last one is left').toEqual(['mine-judge-2']);
    await end.turn(6);
    expect(end.run().judge?.number).toBe(2);
  });

  it('ttlSecondsAfterFinished deletes it, and not earlier', async () => {
    const end = await playStandaloneRun({ fate: () => INTERCEPTED, change: { ttlSecondsAfterFinished: 300 } });
    expect(end.world.stores.clawbenchruns.size).toBe(1);
    await end.turn(60);
    expect(end.world.stores.clawbenchruns.size).toBe(0);
  });
});

describe('a judge that does not answer', () => {
  const counts = { judged: 0, unjudged: 1, promoted: 0, summarised: 0 };
  const down = { ok: false, ...counts, reason: 'JudgePaused', message: 'The provider is out of credit.' };

  it('is not a verdict: the run waits and says why', async () => {
    const end = await playStandaloneRun({ fate: () => INTERCEPTED, job: () => down });
    expect(end.says()).toBe('Judging/JudgePending/Intercepted');
    expect(end.run().pendingReason).toBe('The provider is out of credit.');
  });

  it('after judgeSeconds the run completes without one, and no further Job is started', async () => {
    const end = await playStandaloneRun({
      fate: () => INTERCEPTED,
      job: () => down,
      change: { deadlines: { judgeSeconds: 60 } },
    });
    await end.turn(20);
    expect(end.says()).toBe('Complete/JudgePending/Intercepted');
    const before = end.run().judge?.number ?? 0;
    await end.turn(200);
    expect(end.run().judge?.number).toBe(before);
  });

  it('is called again when spec.judge is changed after that, for as long as before and no longer', async () => {
    let works = false;
    const end = await playStandaloneRun({
      fate: () => INTERCEPTED,
      job: () => (works ? undefined : down),
      change: { deadlines: { judgeSeconds: 60 } },
    });
    const change = (judge: object): void =>
      edit(end.world, { judge: { ...end.world.stores.clawbenchruns.get('bench/mine')?.spec.judge, ...judge } });
    await end.turn(30);
    const before = end.run().judge?.number ?? 0;
    change({ model: 'other' });
    await end.turn(3);
    expect(end.run().judge?.number).toBe(before + 1);
    await end.turn(40);
    expect(end.says()).toBe('Complete/JudgePending/Intercepted');
    const after = end.run().judge?.number ?? 0;
    await end.turn(200);
    expect(end.run().judge?.number).toBe(after);
    works = true;
    change({ workers: 2 });
    await end.turn(10);
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
  });
});
