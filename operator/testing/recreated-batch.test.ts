import { describe, expect, it } from 'vitest';
import { controllerOf, type KubeObject } from '../../kube/object.ts';
import { RUN_LABEL } from '../labels.ts';
import { playStandaloneRun, aStandaloneRun } from '../standalone-run/standalone-run.fixture.ts';
import type { Fate } from './kubelet.fixture.ts';
import { INTERCEPTED, play, type PlayResult, type Play } from './play.fixture.ts';
import type { World } from './world.fixture.ts';

/** What happens to a run that is deleted, and to its evidence; see docs/decisions/005. */

const fate = (_run: string, attempt: number): Fate => (attempt === 1 ? 'OOMKilled' : INTERCEPTED);
const paid = { ...INTERCEPTED, usage: { costUSD: 0.5, tokens: 100, apiCalls: 2 } };
const firstRun = (world: World): string => world.stores.clawbenchruns.list()[0]?.metadata.name ?? '';

/** As `kubectl delete` and the garbage collector do. */
function remove(world: World, run: string, pods = true): void {
  const uid = world.find('clawbenchruns', run)?.metadata.uid;
  world.remove('clawbenchruns', run);
  for (const pod of pods ? world.stores.pods.list() : []) {
    if (controllerOf(pod)?.uid === uid) world.remove('pods', pod.metadata.name);
  }
}
const removeAt =
  (when: number): NonNullable<Play['event']> =>
  (world, turn) => {
    if (turn === when) remove(world, firstRun(world));
  };
const summary = ({ world }: PlayResult): object => {
  const { counts, rescoreSummary, usage } = world.stores.clawbenchbatches.get('bench/nightly')?.status ?? {};
  return { counts, rescoreSummary, usage };
};

describe('a run of a batch that is deleted', () => {
  it('at any moment of its life is created again and never writes where its namesake wrote', async () => {
    for (let when = 4; when < 40; when += 1) {
      const end = await play({ fate, event: removeAt(when), turns: 200 });
      expect(end.phase, `turn ${String(when)}`).toBe('Complete');
      for (const [prefix, pods] of end.kubelet.evidence) expect(pods.size, `turn ${String(when)} ${prefix}`).toBe(1);
    }
  });

  it('when it had completed takes its result back: no agent, no cost, the same score', async () => {
    const reference = await play({ fate: () => paid });
    for (let when = 7; when < 20; when += 1) {
      const end = await play({ fate: () => paid, event: removeAt(when) });
      const where = `turn ${String(when)}`;
      const agents = end.kubelet.agents.filter((run) => run === firstRun(reference.world)).length;
      expect(agents, where).toBe(1);
      expect(summary(end), where).toEqual(summary(reference));
    }
  });

  it('waits until the pod of its namesake is gone: two agents never work on one task', async () => {
    const said: string[] = [];
    const end = await play({
      fate,
      event: (world, turn) => {
        const run = world.stores.pods.list().find((pod) => pod.metadata.name.endsWith('-a1'))?.metadata.labels?.[
          RUN_LABEL
        ];
        if (turn === 5) remove(world, run ?? '', false);
        said.push(...world.stores.clawbenchruns.list().map(({ status }) => status?.pendingReason ?? ''));
      },
    });
    expect(said.join()).toMatch(/Waiting for pod nightly-[0-9a-f]+-a1 of a deleted run with the same name to end/);
    expect(end.kubelet.mostAtOnce).toBe(2);
  });

  it('after completion stays deleted, and the score stays as it was', async () => {
    const end = await play({ fate: () => paid });
    const before = summary(end);
    remove(end.world, firstRun(end.world));
    await end.playTurns(20);
    expect(summary(end)).toEqual(before);
    expect(end.world.stores.clawbenchruns.size).toBe(3);
    expect(end.phase).toBe('Complete');
  });

  it('after completion is not created again by a change of the judge either, which judges what is left', async () => {
    const end = await play({ fate: () => paid });
    remove(end.world, firstRun(end.world));
    await end.playTurns(5);
    const batch = end.world.stores.clawbenchbatches.get('bench/nightly');
    const judge = {
      modelsSecretRef: { name: 'm', key: 'models.yaml' },
      model: 'other',
      rubrics: ['Strict'],
      passRubric: 'Strict',
    };
    end.world.put('clawbenchbatches', {
      ...batch,
      metadata: { ...batch?.metadata, generation: 2 },
      spec: { ...batch?.spec, judge: { ...batch?.spec.judge, ...judge } },
    } as KubeObject);
    await end.playTurns(20);
    expect(end.world.stores.clawbenchruns.size).toBe(3);
    expect(end.world.stores.clawbenchbatches.get('bench/nightly')?.status?.rescoreSummary?.overall).toMatchObject({
      nPlanned: 4,
      nTotal: 3,
      partial: true,
    });
    expect(end.world.stores.clawbenchbatches.get('bench/nightly')?.status?.phase).toBe('Complete');
  });
});

describe('a standalone run that is deleted and applied again', () => {
  it('writes to a prefix of its own', async () => {
    const made = await playStandaloneRun({
      fate: () => ({ outcome: 'Infrastructure', reason: 'BrowserExited' }),
      event: (world, turn) => {
        if (turn !== 3) return;
        remove(world, 'mine');
        world.put('clawbenchruns', aStandaloneRun());
      },
    });
    for (const [prefix, pods] of made.kubelet.evidence) expect(pods.size, prefix).toBe(1);
  });
});
