import { describe, expect, it } from 'vitest';
import {
  conditionText,
  editBatchSpec,
  play,
  createOperatorRound,
  batchStatus,
  type PlayResult,
} from './play.fixture.ts';
import type { World } from './world.fixture.ts';

/** Judge Jobs created so far; only the last one is kept. */
const judges = (end: PlayResult): number => batchStatus(end.world).judge?.number ?? 0;
const outcomes = (end: PlayResult): Set<string> => new Set(Object.values(end.outcomes));

describe('a batch that is not accepted', () => {
  it.each([
    [{ budget: { costUSD: 1 } }, /^False UnsupportedField: spec\.budget\.costUSD is not supported/],
    [{ harnesses: [{ name: 'hermes' }] }, /^False HarnessRefused: spec\.harnesses\[0\]\.name hermes has no image/],
    [
      { podTemplate: { spec: { hostNetwork: true } } },
      /^False PodTemplateRefused: spec\.podTemplate\.spec\.hostNetwork/,
    ],
  ])('%j: one sentence, and nothing is created', async (change, expected) => {
    const { world } = await play({ change, turns: 5 });
    expect(conditionText(world, 'Accepted')).toMatch(expected);
    expect(conditionText(world, 'Complete')).toMatch(/^False NotAccepted/);
    expect(world.stores.jobs.size + world.stores.pods.size + world.stores.clawbenchruns.size).toBe(0);
  });

  it('what prepare finds becomes the message; it is tried again and may be accepted then', async () => {
    const rejection = {
      ok: false,
      reason: 'SuiteNotFound',
      message: 'spec.suite: there is no ConfigMap v1.',
      retryable: true,
    };
    let seen = '';
    const end = await play({
      job: (name) => (name === 'nightly-prepare-1' ? rejection : undefined),
      event: (world, turn) => {
        if (turn === 4) seen = conditionText(world, 'Accepted');
      },
    });
    expect(seen).toBe('False SuiteNotFound: spec.suite: there is no ConfigMap v1.');
    expect(conditionText(end.world, 'Accepted')).toBe('True Prepared: Checked: 4 tasks and 1 model.');
    expect(outcomes(end)).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });

  const rejection = {
    ok: false,
    reason: 'ModelNotFound',
    message: 'spec.judge.model: no such model.',
    retryable: true,
  };

  it('is checked again at once when its spec was changed, and otherwise not before its time', async () => {
    const job = (name: string): object | undefined => (name === 'nightly-prepare-4' ? undefined : rejection);
    const playTurns = async (changeAt: number): Promise<string | undefined> => {
      const event = (world: World, turn: number): void => {
        if (turn === changeAt) editBatchSpec(world, { parallelism: 3 });
      };
      // The third rejection comes around turn 16; the next check is due 40 s, or 8 turns, later.
      const { world } = await play({ job, event, turns: 20 });
      return (
        batchStatus(world).prepare?.name ??
        batchStatus(world).conditions?.find(({ type }) => type === 'Accepted')?.reason
      );
    };
    expect(await playTurns(-1)).toBe('ModelNotFound');
    expect(await playTurns(18)).toBe('nightly-prepare-4');
  });

  it('with another spec than its Job checks: that Job is deleted', async () => {
    const event = (world: World, turn: number): void => {
      if (turn === 2) editBatchSpec(world, { parallelism: 3 });
    };
    const { world } = await play({ event, job: (name) => (name.endsWith('-1') ? 'stuck' : undefined), turns: 4 });
    expect(world.stores.jobs.list().map(({ metadata }) => metadata.name)).toEqual(['nightly-prepare-2']);
  });

  it('keeps the Job of the last rejection, with its log, and no other', async () => {
    const end = await play({ job: () => rejection, turns: 100 });
    const { number = 0, name } = batchStatus(end.world).prepare ?? {};
    expect([number > 3, name]).toEqual([true, undefined]);
    expect(end.world.stores.jobs.list().map(({ metadata }) => metadata.name)).toEqual([
      `nightly-prepare-${String(number)}`,
    ]);
  });

  it('a prepare pod that cannot start says why, and gives up at its deadline', async () => {
    const early = await play({ job: () => 'stuck', turns: 6 });
    expect(conditionText(early.world, 'Accepted')).toBe('Unknown PreparePending: Waiting for the scheduler.');
    const late = await play({ job: () => 'stuck', change: { deadlines: { pendingSeconds: 10 } }, turns: 6 });
    expect(conditionText(late.world, 'Accepted')).toBe('False PrepareNotStarted: Waiting for the scheduler.');
  });
});

describe('what a user may change while it runs', () => {
  it('suspend starts no further run and lets the others end; resume continues', async () => {
    const suspended = await play({
      event: (world, turn) => turn === 5 && editBatchSpec(world, { suspend: true }),
      turns: 12,
    });
    expect(suspended.kubelet.seen.size).toBe(2);
    expect(suspended.phase).toBe('Suspended');
    expect(conditionText(suspended.world, 'Suspended')).toMatch(/^True/);
    const resumed = await play({
      event: (world, turn) => {
        if (turn === 5) editBatchSpec(world, { suspend: true });
        if (turn === 10) editBatchSpec(world, { suspend: false });
      },
    });
    expect(outcomes(resumed)).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });

  it('cancel ends everything; what was intercepted is still judged', async () => {
    const end = await play({ event: (world, turn) => turn === 5 && editBatchSpec(world, { cancel: true }) });
    expect(end.phase).toBe('Cancelled');
    expect(conditionText(end.world, 'Complete')).toMatch(/^True Cancelled/);
    expect(outcomes(end)).toEqual(new Set(['Complete/Passed/JudgedMatch', 'Complete/Cancelled/CancelledByUser']));
    expect(end.kubelet.seen.size).toBe(2);
  });

  it('cancelled before it was accepted: complete at once', async () => {
    const end = await play({ change: { cancel: true }, turns: 3 });
    expect(conditionText(end.world, 'Complete')).toBe(
      'True Cancelled: The batch was cancelled before any run started.',
    );
    expect(end.world.stores.jobs.size).toBe(0);
  });

  it('another judge judges every interception again', async () => {
    const end = await play({});
    const before = judges(end);
    editBatchSpec(end.world, {
      judge: { ...end.world.stores.clawbenchbatches.get('bench/nightly')?.spec.judge, model: 'other' },
    });
    const operator = createOperatorRound(end.world);
    for (let turn = 0; turn < 6; turn += 1) {
      await operator();
      end.kubelet.turn();
      end.world.now += 5000;
    }
    expect(judges(end)).toBe(before + 1);
    expect(batchStatus(end.world).phase).toBe('Complete');
  });
});

describe('the judge', () => {
  const down = {
    ok: false,
    judged: 0,
    unjudged: 2,
    promoted: 0,
    summarised: 4,
    reason: 'JudgePaused',
    message: 'The provider is out of credit.',
  };
  const out = (name: string): object | undefined => (name.includes('-judge-') ? down : undefined);

  it('an outage is not a verdict: the batch waits and says so', async () => {
    const end = await play({ job: out, turns: 40 });
    expect(end.phase).toBe('Judging');
    expect(outcomes(end)).toEqual(new Set(['Judging/JudgePending/Intercepted']));
    expect(conditionText(end.world, 'Progressing')).toMatch(/The provider is out of credit\.$/);
    expect(judges(end)).toBeLessThan(8);
  });

  it('after judgeSeconds the batch completes with the unjudged counted', async () => {
    const end = await play({
      job: out,
      change: { judge: { modelsSecretRef: { name: 'm' }, model: 'j' }, deadlines: { judgeSeconds: 60 } },
    });
    expect(conditionText(end.world, 'Complete')).toMatch(/^True Unjudged: 4 runs have no verdict/);
    const operator = createOperatorRound(end.world);
    await operator();
    end.world.now += 5000;
    await operator();
    expect(batchStatus(end.world).counts).toMatchObject({ finished: 4, unjudged: 4, passed: 0, failed: 0 });
  });

  describe('that has not answered by the end of the batch', () => {
    const change = { judge: { modelsSecretRef: { name: 'm' }, model: 'j' }, deadlines: { judgeSeconds: 60 } };
    const edited = (end: PlayResult, judge: object): void =>
      editBatchSpec(end.world, {
        judge: { ...end.world.stores.clawbenchbatches.get('bench/nightly')?.spec.judge, ...judge },
      });

    it('is not called again on its own, and the batch stays as it completed', async () => {
      const end = await play({ job: out, change });
      await end.playTurns(2);
      const before = [judges(end), conditionText(end.world, 'Complete')];
      await end.playTurns(1000);
      expect([judges(end), conditionText(end.world, 'Complete')]).toEqual(before);
      expect(before[1]).toMatch(/^True Unjudged/);
    });

    it.each([
      ['of another model', { model: 'other' }],
      ['with more workers', { workers: 7 }],
    ])('is called again at once when spec.judge is changed, %s, for as long as before', async (_, judge) => {
      let works = false;
      const end = await play({ job: (name) => (works ? undefined : out(name)), change });
      await end.playTurns(30);
      edited(end, judge);
      const before = judges(end);
      await end.playTurns(3);
      expect(judges(end)).toBe(before + 1);
      expect(conditionText(end.world, 'Complete')).toMatch(/^False/);
      await end.playTurns(100);
      expect(conditionText(end.world, 'Complete')).toMatch(/^True Unjudged/);
      works = true;
      edited(end, { workers: 9 });
      await end.playTurns(10);
      expect(conditionText(end.world, 'Complete')).toBe('True AllRunsClosed: 4 of 4 runs are complete.');
      expect(batchStatus(end.world).counts).toMatchObject({ passed: 4, unjudged: 0 });
    });
  });

  it('one Job at a time, and a batch without interceptions needs only the summary', async () => {
    const end = await play({ fate: () => ({ outcome: 'Failed', reason: 'AgentExited' }) });
    expect(judges(end)).toBe(1);
    expect(outcomes(end)).toEqual(new Set(['Complete/Failed/AgentExited']));
  });

  it('a summary that cannot be written does not delay the batch for ever', async () => {
    const broken = { ...down, reason: 'JudgeFailed', message: 'no bucket' };
    const end = await play({
      job: (name) => (name.includes('-judge-') ? broken : undefined),
      fate: () => ({}),
      turns: 200,
    });
    expect(conditionText(end.world, 'Complete')).toMatch(/^True SummaryNotWritten: .*no bucket/);
    expect(batchStatus(end.world).artifacts).toBeUndefined();
  });
});

describe('names and lifetimes', () => {
  it("somebody else's run with the same name is never touched, and the batch says so", async () => {
    const reference = await play({});
    const [name = ''] = Object.keys(reference.outcomes);
    const stranger = {
      apiVersion: 'claw-bench.com/v1alpha1',
      kind: 'ClawBenchRun',
      metadata: { name, labels: { mine: 'yes' } },
      spec: { task: {}, batchRef: { name: 'other', uid: 'another' } },
    };
    const end = await play({ event: (world, turn) => turn === 0 && world.put('clawbenchruns', stranger), turns: 20 });
    expect(conditionText(end.world, 'Progressing')).toMatch(/^False NameTaken: .*delete it or use a different name/);
    expect(end.world.stores.clawbenchruns.get(`bench/${name}`)?.metadata.labels).toEqual({ mine: 'yes' });
  });

  it.each([
    [
      'configmaps',
      'nightly-tasks',
      /^False NameTaken: (ConfigMap|configmaps) bench\/nightly-tasks already exists.*delete it/,
    ],
    ['jobs', 'nightly-prepare-1', /^False NameTaken: .*nightly-prepare-1 already exists.*delete it/],
    ['networkpolicies', 'nightly-runs', /^False NameTaken: .*nightly-runs already exists.*delete it/],
  ])(
    "somebody else's %s %s: one sentence, not one prepare after another; the batch continues when it is gone",
    async (...given) => {
      const [plural, name, expected] = given;
      const stranger = { apiVersion: 'v1', kind: plural, metadata: { name, labels: { mine: 'yes' } } };
      let seen = '';
      const end = await play({
        event: (world, turn) => {
          if (turn === 0) world.put(plural, stranger);
          if (turn !== 20) return;
          seen = conditionText(world, 'Accepted');
          expect(world.find(plural, name)?.metadata.labels).toEqual({ mine: 'yes' });
          expect(world.stores.jobs.size).toBeLessThanOrEqual(1);
          world.remove(plural, name);
          world.remove('pods', `${name}-pod`);
        },
      });
      expect(seen).toMatch(expected);
      expect(outcomes(end)).toEqual(new Set(['Complete/Passed/JudgedMatch']));
    },
  );

  it('ttlSecondsAfterFinished deletes the batch, and not earlier', async () => {
    const end = await play({ change: { ttlSecondsAfterFinished: 600 } });
    const operator = createOperatorRound(end.world);
    end.world.now += 590_000;
    await operator();
    expect(end.world.stores.clawbenchbatches.size).toBe(1);
    end.world.now += 20_000;
    await operator();
    expect(end.world.stores.clawbenchbatches.size).toBe(0);
  });

  it('a deleted run is created again, with its outcome', async () => {
    const end = await play({
      event: (world, turn) => {
        const [run] = world.stores.clawbenchruns.list();
        if (turn === 8 && run !== undefined) world.remove('clawbenchruns', run.metadata.name);
      },
    });
    expect(Object.keys(end.outcomes)).toHaveLength(4);
    expect(end.phase).toBe('Complete');
  });
});

describe('what is deleted while a batch runs', () => {
  const said = (world: World): string[] => [
    ...world.stores.clawbenchruns.list().map(({ status }) => status?.pendingReason ?? ''),
    conditionText(world, 'Progressing'),
  ];
  const suite = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'v1-lite' } };

  it('the suite: run and batch name it, and continue when it is back', async () => {
    let seen: string[] = [];
    const end = await play({
      requireMounts: true,
      event: (world, turn) => {
        if (turn === 3) world.remove('configmaps', 'v1-lite');
        if (turn === 20) seen = said(world);
        if (turn === 20) world.put('configmaps', suite);
      },
    });
    const message =
      'ConfigMap v1-lite, which the pod mounts as volume suite, does not exist in namespace bench; create it again.';
    expect(seen).toContain(message);
    expect(seen.at(-1)).toMatch(/^True Running: .*ConfigMap v1-lite, which/);
    expect(outcomes(end)).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });

  it('the suite, when only the judge still needs it', async () => {
    let seen = '';
    const end = await play({
      requireMounts: true,
      event: (world, turn) => {
        const runs = world.stores.clawbenchruns.list();
        const judging = runs.length > 0 && runs.every(({ status }) => status?.phase === 'Judging');
        if (judging && turn < 30) world.remove('configmaps', 'v1-lite');
        if (turn === 30) seen = conditionText(world, 'Progressing');
        if (turn === 30) world.put('configmaps', suite);
      },
    });
    expect(seen).toMatch(/ConfigMap v1-lite, which/);
    expect(outcomes(end)).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });

  it('the task list: it is written again', async () => {
    const end = await play({
      requireMounts: true,
      event: (world, turn) => {
        if (turn === 7) world.remove('configmaps', 'nightly-tasks');
      },
    });
    expect(end.world.find('configmaps', 'nightly-tasks')).toBeDefined();
    expect(end.phase).toBe('Complete');
    expect(outcomes(end)).toEqual(new Set(['Complete/Passed/JudgedMatch']));
  });
});
