import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { runConfig } from '../../../benchmark/protocol/run-config.ts';
import { memoryStore } from '../../../store/memory.fixture.ts';
import { writeSuiteArchive } from '../../../store/suite-archive.ts';
import { InterceptionError } from '../../contracts.ts';
import { setUpSoFar, type Context } from '../context.ts';
import { finaliseAttempt } from '../finalise/finalise.ts';
import { initialState } from '../state-machine/state.ts';
import { setUp, SetupFailed } from './set-up.ts';

const TASK = '{"instruction":"i","eval_schema":{"url_pattern":"x","method":"POST"},"time_limit":1}';
const SUITE = await writeSuiteArchive([{ path: '1/task.json', bytes: Buffer.from(TASK) }]);
const RUN = {
  namespace: 'n',
  run: 'r',
  runUID: 'run',
  batch: 'b',
  batchUID: 'batch',
  attempt: 1,
  suite: 's',
  caseName: '1',
  taskSha256: null,
  model: 'm',
  harness: 'h',
  repetition: 1,
  runPrefix: 'm/batch-b/m/r',
};

type Step = 'task' | 'store' | 'evidence' | 'browser' | 'arming' | 'capture' | 'nothing';

/** An attempt over temporary folders and scripted parts, of which one fails, and what was called in order. */
function anAttempt(failing: Step): { context: Context; calls: string[]; runDir: string } {
  const root = mkdtempSync(join(tmpdir(), 'half-way-'));
  const dir = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const calls: string[] = [];
  const did = <T>(name: string, result: T): Promise<T> => {
    calls.push(name);
    return Promise.resolve(result);
  };
  const part = <T>(step: Step, result: T, error: Error = new Error(`no ${step}`)): Promise<T> =>
    failing === step ? Promise.reject(error) : Promise.resolve(result);
  const evidence = {
    addSecret: () => undefined,
    redact: (text: string) => text,
    interception: () => true,
    counts: { actions: 0, requests: 0, screenshots: 0, bytes: 0 },
    finalise: () => did('evidence.finalise', { evidence: 'Partial', manifestSha256: null, facts: null }),
  };
  const interception = {
    arm: () =>
      part(
        'arming',
        { browserVersion: 'Chromium/1', browserPid: 7 },
        new InterceptionError('SelfTestFailed', 'It leaks.'),
      ),
    evidenceEndpoint: () => 'ws://x',
    traffic: () => null,
    close: () => did('interception.close', undefined),
  };
  writeFileSync(join(dir('suite'), 'suite.tar.gz'), SUITE);
  const names = ['run', 'task', 'myInfo', 'harnessData', 'evidence', 'recording', 'modelCalls', 'mailSecret', 'suite'];
  const state = initialState(1);
  const context = {
    ...setUpSoFar(),
    environment: {
      run: runConfig.parse({
        ...RUN,
        caseName: failing === 'task' ? '9' : '1',
        artifacts: { kind: 'directory', path: root },
      }),
      local: false,
      dirs: Object.fromEntries(names.map((name) => [name, dir(name)])),
      ports: { devTools: 0, control: 0, progress: 0 },
      secrets: [],
    },
    factories: {
      openStore: () => part('store', memoryStore()),
      openEvidence: () => part('evidence', evidence, Object.assign(new Error('full'), { code: 'ENOSPC' })),
      startInterception: () => part('browser', interception, new InterceptionError('BrowserExited', 'It died.')),
      startCapture: () => part('capture', { stop: () => did('capture.stop', undefined) }),
    },
    loop: { state, setTimeLimit: () => undefined, dispatch: () => undefined },
    recording: { status: null, bytes: 0, stop: () => did('recording.stop', 'disabled') },
    finaliseAbort: new AbortController(),
    log: pino({ level: 'silent' }),
    metrics: { uploadRetried: () => undefined },
    onSessionEvent: () => undefined,
    now: () => 2,
  } as unknown as Context;
  return { context, calls, runDir: join(root, 'run') };
}

const OPENED = ['loaded', 'store', 'harnessData', 'evidence'];
const TASK_WRITTEN = ['modelWatch', 'model', 'mailbox', 'task'];
const CLOSED = ['recording.stop', 'interception.close', 'evidence.finalise'];

it.each([
  ['task', 'TaskMismatch', [], ['recording.stop']],
  ['store', 'InternalError', [], ['recording.stop']],
  ['evidence', 'DiskFull', ['loaded', 'store', 'harnessData'], ['recording.stop']],
  ['browser', 'BrowserExited', [...OPENED, 'modelWatch', 'model', 'mailbox'], ['recording.stop', 'evidence.finalise']],
  ['arming', 'SelfTestFailed', [...OPENED, 'modelWatch', 'model', 'mailbox', 'interception'], CLOSED],
  ['capture', 'InternalError', [...OPENED, ...TASK_WRITTEN, 'interception', 'browser'], CLOSED],
] as const)(
  'when %s fails, the attempt is %s and exactly what exists is closed',
  async (failing, reason, held, closed) => {
    const { context, calls, runDir } = anAttempt(failing);
    const failure = await setUp(context, 0, new AbortController().signal).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SetupFailed);
    expect(failure).toMatchObject({ reason });
    expect(Object.keys(context.held).sort()).toEqual([...held].sort());
    expect(existsSync(join(runDir, 'armed'))).toBe(false);
    Object.assign(context.loop.state, { cause: { kind: 'infrastructure', reason, message: 'It failed.' } });
    const message = await finaliseAttempt(context);
    expect(calls).toEqual(closed);
    expect(message).toMatchObject({
      outcome: 'Infrastructure',
      reason,
      evidence: closed.length > 1 ? 'Partial' : 'None',
      mailboxRemoved: true,
    });
  },
);

it('returns every part once armed, lets the browser container become ready, and finalising closes all of them', async () => {
  const { context, calls, runDir } = anAttempt('nothing');
  const result = await setUp(context, 0, new AbortController().signal);
  expect(result).toEqual({ kind: 'armed', attempt: context.held });
  expect(Object.keys(context.held).sort()).toEqual(
    [...OPENED, ...TASK_WRITTEN, 'interception', 'browser', 'capture'].sort(),
  );
  expect(context.held.browser).toEqual({ version: 'Chromium/1', pid: 7 });
  expect(existsSync(join(runDir, 'armed'))).toBe(true);
  await finaliseAttempt(context);
  expect(calls).toEqual(['recording.stop', 'capture.stop', 'interception.close', 'evidence.finalise']);
});
