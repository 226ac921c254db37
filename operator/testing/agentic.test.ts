import { describe, expect, it } from 'vitest';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { judgeJobName, runName } from '../../benchmark/protocol/names.ts';
import { judge as judgeBlock } from '../../crds/blocks/judge.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { KubeObject } from '../../kube/object.ts';
import { playStandaloneRun } from '../standalone-run/standalone-run.fixture.ts';
import type { Fate } from './kubelet.fixture.ts';
import { INTERCEPTED, play, type PlayResult, type Play } from './play.fixture.ts';
import type { World } from './world.fixture.ts';

/** The evaluator that judges whole sessions, with or without an intercepted request. */
const base = { modelsSecretRef: { name: 'm' }, model: 'j' };
const PASS = { ...base, rubrics: ['Strict' as const, 'Agentic' as const], passRubric: 'Agentic' as const };
const BESIDE = { ...PASS, passRubric: 'Strict' as const };

type JudgeInput = Parameters<typeof judgeBlock.parse>[0];

/** One run for each way to end, by task. */
const FATES: Readonly<Record<string, Fate>> = {
  '001-a': INTERCEPTED,
  '002-b': { outcome: 'Failed', reason: 'AgentExited' },
  '003-c': { outcome: 'TimedOut', reason: 'TimeLimitExceeded', stopReason: 'time_limit_exceeded' },
  '004-d': { outcome: 'Infrastructure', reason: 'BrowserExited', resultCategory: 'infra_failure' },
};
const nameOf = (task: string): string => runName('nightly', { task, model: 'm1', harness: 'null', repetition: 1 });
const caseIn = (name: string): string => Object.keys(FATES).find((task) => nameOf(task) === name) ?? '';
const fate = (run: string): Fate => FATES[caseIn(run)] ?? {};

/** Both rubrics judge what was intercepted; the session that failed did the task, the one that timed out did not. */
const verdicts = (row: JudgeRow): ClawBenchRunStatus['verdicts'] =>
  row.case === '001-a'
    ? { Strict: { match: true }, Agentic: { match: false, reason: 'another size' } }
    : { Agentic: { match: row.case === '002-b', reason: 'seen' } };

const batch = (input: Play): Promise<PlayResult> => play({ fate, verdicts, turns: 300, ...input });
const byTask = (end: PlayResult): Record<string, string> =>
  Object.fromEntries(
    end.world.stores.clawbenchruns
      .list()
      .map(({ metadata, status = {} }) => [
        caseIn(metadata.name),
        [status.phase, status.outcome, status.reason].join('/'),
      ]),
  );
const statusOf = (world: World): ClawBenchBatchStatus =>
  world.stores.clawbenchbatches.get('bench/nightly')?.status ?? {};
const isComplete = (status: Pick<ClawBenchBatchStatus, 'conditions'>): string | undefined =>
  status.conditions?.find(({ type }) => type === 'Complete')?.status;
const setJudge = (world: World, change: JudgeInput): void => {
  const judge = judgeBlock.parse(change);
  const old = world.stores.clawbenchbatches.get('bench/nightly');
  if (old !== undefined) world.put('clawbenchbatches', { ...old, spec: { ...old.spec, judge } } as KubeObject);
};
/**
 * Rows of all judge Jobs so far: the lists remain although their Jobs are deleted (garbage collection is not played).
 */
const rows = (world: World): JudgeRow[] =>
  ['nightly', 'mine']
    .flatMap((name) => Array.from({ length: 40 }, (_, index) => judgeJobName(name, index + 1)))
    .map((name) => world.find('configmaps', name) as { data?: Record<string, string> } | undefined)
    .flatMap((map) => JSON.parse(map?.data?.['runs.json'] ?? '[]') as JudgeRow[]);

describe('a batch whose pass rubric is Agentic', () => {
  it('judges every session that the agent itself ended: its verdict alone is the outcome', async () => {
    const end = await batch({ change: { judge: PASS } });
    expect(byTask(end)).toEqual({
      '001-a': 'Complete/Failed/JudgedMismatch',
      '002-b': 'Complete/Passed/JudgedMatch',
      '003-c': 'Complete/Failed/JudgedMismatch',
      '004-d': 'Complete/Infrastructure/BrowserExited',
    });
    const { counts, rescoreSummary, columns } = statusOf(end.world);
    expect(counts).toMatchObject({ finished: 4, judging: 0, passed: 1, failed: 2, infrastructure: 1, unjudged: 0 });
    expect(columns?.pass).toBe('1/4 (25.0%)');
    expect(rescoreSummary?.overall?.rubrics).toMatchObject({
      Strict: { match: 1, mismatch: 0, unjudged: 0, rate: 0.25, rateEligible: 0.3333 },
      Agentic: { match: 1, mismatch: 2, unjudged: 0, rate: 0.25, rateEligible: 0.3333 },
    });
    expect(isComplete(statusOf(end.world))).toBe('True');
  });

  it('tells the judge how the agent ended, for a bundle that is still open', async () => {
    const { world } = await batch({ change: { judge: PASS } });
    const judged = rows(world).filter(({ action }) => action === 'Judge');
    expect(judged.map((row) => [row.case, row.outcome, row.reason]).sort()).toEqual([
      ['001-a', undefined, undefined],
      ['002-b', 'Failed', 'AgentExited'],
      ['003-c', 'TimedOut', 'TimeLimitExceeded'],
    ]);
  });

  it('is not complete while a session waits, whose run is judging and not complete either', async () => {
    const paused = {
      ok: false,
      judged: 0,
      unjudged: 3,
      promoted: 0,
      summarised: 0,
      reason: 'JudgePaused',
      message: 'x',
    };
    const end = await batch({
      change: { judge: PASS },
      job: (name) => (name.includes('judge') ? paused : undefined),
      turns: 80,
    });
    expect(byTask(end)).toMatchObject({
      '001-a': 'Judging/JudgePending/Intercepted',
      '002-b': 'Judging/JudgePending/AgentExited',
      '003-c': 'Judging/JudgePending/TimeLimitExceeded',
      '004-d': 'Complete/Infrastructure/BrowserExited',
    });
    expect(statusOf(end.world).counts).toMatchObject({ judging: 3, finished: 1, unjudged: 0 });
    expect(
      end.world.stores.clawbenchruns
        .list()
        .map(({ status = {} }) => isComplete(status))
        .sort(),
    ).toEqual(['False', 'False', 'False', 'True']);
    expect(isComplete(statusOf(end.world))).toBe('False');
  });

  it('is complete after judgeSeconds, with what has no verdict unjudged: neither passed nor failed', async () => {
    const paused = {
      ok: false,
      judged: 0,
      unjudged: 3,
      promoted: 0,
      summarised: 4,
      reason: 'JudgePaused',
      message: 'x',
    };
    const end = await batch({
      change: { judge: PASS, deadlines: { judgeSeconds: 60 } },
      job: (name) => (name.includes('judge') ? paused : undefined),
    });
    await end.playTurns(3);
    expect(isComplete(statusOf(end.world))).toBe('True');
    expect(statusOf(end.world).counts).toMatchObject({ passed: 0, failed: 0, unjudged: 3, infrastructure: 1 });
    expect(statusOf(end.world).rescoreSummary?.overall?.rubrics?.Agentic).toMatchObject({ match: 0, unjudged: 3 });
  });

  it('restores how each session ended when another rubric is to decide, and overwrites it again when asked to', async () => {
    const end = await batch({ change: { judge: PASS } });
    setJudge(end.world, BESIDE);
    await end.playTurns(10);
    const own = {
      '001-a': 'Complete/Passed/JudgedMatch',
      '002-b': 'Complete/Failed/AgentExited',
      '003-c': 'Complete/TimedOut/TimeLimitExceeded',
      '004-d': 'Complete/Infrastructure/BrowserExited',
    };
    expect(byTask(end)).toEqual(own);
    setJudge(end.world, { ...base, rubrics: ['Strict'], passRubric: 'Strict' });
    await end.playTurns(10);
    expect(byTask(end)).toEqual(own);
    setJudge(end.world, PASS);
    await end.playTurns(10);
    expect(byTask(end)).toMatchObject({ '002-b': 'Complete/Passed/JudgedMatch' });
    expect(isComplete(statusOf(end.world))).toBe('True');
  });

  it('judges again when its references are elsewhere', async () => {
    const end = await batch({ change: { judge: PASS } });
    const before = rows(end.world).length;
    setJudge(end.world, { ...PASS, agentic: { enabled: false, referencePrefix: 'humans/' } });
    await end.playTurns(10);
    expect(rows(end.world)).toHaveLength(before + 3);
  });
});

describe('a batch that requests Agentic beside Strict', () => {
  it('ends each session in its own words, once the evaluator has answered', async () => {
    const end = await batch({ change: { judge: BESIDE } });
    expect(byTask(end)).toEqual({
      '001-a': 'Complete/Passed/JudgedMatch',
      '002-b': 'Complete/Failed/AgentExited',
      '003-c': 'Complete/TimedOut/TimeLimitExceeded',
      '004-d': 'Complete/Infrastructure/BrowserExited',
    });
    expect(statusOf(end.world).counts).toMatchObject({ passed: 1, failed: 2, infrastructure: 1 });
    expect(statusOf(end.world).rescoreSummary?.overall?.rubrics?.Agentic).toMatchObject({ match: 1, mismatch: 2 });
  });

  it('requests the same when agentic.enabled names it', async () => {
    const judge = { ...base, rubrics: ['Strict' as const], agentic: { enabled: true } };
    const end = await batch({ change: { judge } });
    expect(statusOf(end.world).rescoreSummary?.overall?.rubrics?.Agentic).toMatchObject({ match: 1, mismatch: 2 });
  });
});

describe('without the evaluator', () => {
  it('a session without an intercepted request waits for no verdict', async () => {
    const judge = { ...base, rubrics: ['Strict' as const] };
    const { world } = await batch({ change: { judge } });
    expect(rows(world).map(({ case: task, action }) => [task, action])).toEqual([
      ['001-a', 'Judge'],
      ['004-d', 'Promote'],
    ]);
  });
});

describe('a standalone run', () => {
  const timedOut = FATES['003-c'] ?? {};

  it('is judged by the evaluator without an intercepted request, and complete after it', async () => {
    const seen: (string | undefined)[] = [];
    const end = await playStandaloneRun({
      fate: () => timedOut,
      verdicts: () => ({ Agentic: { match: true, reason: 'did it' } }),
      change: { judge: PASS },
      event: (world) => {
        const status = world.stores.clawbenchruns.get('bench/mine')?.status;
        if (status?.phase === 'Judging') seen.push(isComplete(status));
      },
    });
    expect(new Set(seen)).toEqual(new Set(['False']));
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
    expect(end.condition('Complete')).toBe('True JudgedMatch: Passed: Agentic: did it');
  });

  it('is complete as it ended when only Strict decides, and unjudged when the judge does not answer', async () => {
    const beside = await playStandaloneRun({
      fate: () => timedOut,
      verdicts: () => ({ Agentic: { match: true } }),
      change: { judge: BESIDE },
    });
    expect(beside.says()).toBe('Complete/TimedOut/TimeLimitExceeded');
    const paused = {
      ok: false,
      judged: 0,
      unjudged: 1,
      promoted: 0,
      summarised: 0,
      reason: 'JudgePaused',
      message: 'x',
    };
    const silent = await playStandaloneRun({
      fate: () => timedOut,
      job: () => paused,
      change: { judge: PASS, deadlines: { judgeSeconds: 60 } },
      turns: 60,
    });
    expect(silent.says()).toBe('Complete/JudgePending/TimeLimitExceeded');
  });

  it('that has completed is judged when the evaluator is requested later, however much later', async () => {
    const end = await playStandaloneRun({
      fate: () => timedOut,
      verdicts: () => ({ Agentic: { match: true } }),
      change: { judge: { ...base, rubrics: ['Strict'] }, deadlines: { judgeSeconds: 60 } },
      turns: 60,
    });
    expect(end.says()).toBe('Complete/TimedOut/TimeLimitExceeded');
    const run = end.world.stores.clawbenchruns.get('bench/mine');
    end.world.put('clawbenchruns', {
      ...run,
      spec: { ...run?.spec, judge: { ...PASS, agentic: { enabled: false, referencePrefix: '' } } },
    } as KubeObject);
    await end.turn(15);
    expect(end.says()).toBe('Complete/Passed/JudgedMatch');
  });
});
