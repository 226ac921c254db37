import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { MODEL_CALLS_FILES } from '../../../benchmark/protocol/model-gateway.ts';
import { memoryStore } from '../../../store/memory.fixture.ts';
import { writeSuiteArchive } from '../../../store/suite-archive.ts';
import { InterceptionError } from '../../contracts.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import { claimRun } from '../../evidence/run-claim.ts';
import { setUpSoFar, type Context } from '../context.ts';
import { removeMailbox } from '../finalise/finalise.ts';
import { setUp } from './set-up.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A mail server that makes mailboxes when `answer` is called, and its calls in the order of their effect. */
async function slowMail(): Promise<{
  url: string;
  calls: string[];
  asked: Promise<void>;
  answer: () => void;
  refuse: () => void;
}> {
  let status = 204;
  const calls: string[] = [];
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  server = createServer((request, response) => {
    request.resume();
    asked.resolve();
    void (request.method === 'PUT' ? released.promise : Promise.resolve()).then(() => {
      calls.push(request.method ?? '');
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const refuse = (): void => {
    status = 403;
  };
  return { url, calls, asked: asked.promise, answer: released.resolve, refuse };
}

/** An attempt up to where the browser would start, which fails when `failure` rejects. */
function aContext(webUrl: string, failure: Promise<never>, modelGateway = false): Context {
  const root = mkdtempSync(join(tmpdir(), 'setup-'));
  const dir = (name: string, files: Record<string, string | Uint8Array> = {}): string => {
    mkdirSync(join(root, name), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(root, name, file), text);
    return join(root, name);
  };
  failure.catch(() => undefined);
  const context = {
    environment: {
      run: {
        caseName: '1',
        taskSha256: null,
        runUID: 'uid',
        batchUID: 'batch',
        attempt: 1,
        generation: 1,
        runPrefix: 'm/batch-b/m/r',
        timeLimitSeconds: null,
        evidenceIntervalSeconds: 10,
        modelGateway,
        mail: { provider: 'SMTPCatchAll' },
        artifacts: { kind: 'directory', path: root },
        network: { allow: [], map: [] },
        browser: {},
      },
      dirs: {
        run: dir('run'),
        suite: dir('suite', { 'suite.tar.gz': SUITE }),
        task: dir('task'),
        myInfo: dir('my-info'),
        harnessData: dir('data'),
        modelCalls: dir('model-calls'),
        mailSecret: dir('mail', { domain: 'mail.test', webUrl, adminToken: 'admin-token-of-the-test' }),
      },
      ports: { devTools: 0, control: 0, progress: 0 },
      secrets: [],
    },
    factories: {
      openStore: () => Promise.resolve(memoryStore()),
      openEvidence: () => Promise.resolve({ addSecret: () => undefined }),
      startInterception: () => failure,
    },
    ...setUpSoFar(),
    loop: { setTimeLimit: () => undefined },
    log: pino({ level: 'silent' }),
    onSessionEvent: () => undefined,
    metrics: { uploadRetried: () => undefined },
    now: Date.now,
  };
  return context as unknown as Context;
}

const TASK = '{"instruction":"i","eval_schema":{"url_pattern":"x","method":"POST"},"time_limit":1}';
const SUITE = await writeSuiteArchive([{ path: '1/task.json', bytes: Buffer.from(TASK) }]);
const noBrowser = (): InterceptionError => new InterceptionError('BrowserExited', 'no browser');

it('a mailbox that is being made while set-up fails is removed once it is there', async () => {
  const mail = await slowMail();
  const failure = Promise.withResolvers<never>();
  const context = aContext(mail.url, failure.promise);
  const settingUp = setUp(context, 0, new AbortController().signal);
  await mail.asked;
  failure.reject(noBrowser());
  await expect(settingUp).rejects.toMatchObject({ reason: 'BrowserExited' });
  let isRemoved: boolean | undefined;
  const removed = removeMailbox(context).then((is) => (isRemoved = is));
  await sleep(50);
  expect([mail.calls, isRemoved]).toEqual([[], undefined]);
  mail.answer();
  await removed;
  expect([mail.calls, isRemoved]).toEqual([['PUT', 'DELETE'], true]);
});

it('no mailbox is made after set-up failed', async () => {
  const mail = await slowMail();
  mail.answer();
  const failure = Promise.withResolvers<never>();
  const context = aContext(mail.url, failure.promise, true);
  const settingUp = setUp(context, 0, new AbortController().signal);
  await sleep(50);
  failure.reject(noBrowser());
  await expect(settingUp).rejects.toMatchObject({ reason: 'BrowserExited' });
  const isRemoved = await removeMailbox(context);
  expect(context.held.modelWatch).toBeDefined();
  context.held.modelWatch?.end();
  const model = { baseUrl: 'http://127.0.0.1:1/v1', apiType: 'openai-completions', config: {} };
  const said = { v: 1, thinkingLevel: null, temperature: null, maxTokens: null, ...model };
  writeFileSync(join(context.environment.dirs.modelCalls, MODEL_CALLS_FILES.agent), JSON.stringify(said));
  await sleep(300);
  expect([mail.calls, isRemoved, context.held.mailbox]).toEqual([[], true, undefined]);
});

it('a mailbox whose creation got no answer is removed all the same, since it may exist', async () => {
  const mail = await slowMail();
  const context = aContext(mail.url, new Promise<never>(() => undefined));
  const settingUp = setUp(context, 0, new AbortController().signal);
  await mail.asked;
  // No answer at all, four times.
  const cutting = setInterval(() => server?.closeAllConnections(), 20);
  await expect(settingUp).rejects.toMatchObject({ reason: 'MailboxFailed' });
  clearInterval(cutting);
  expect([await removeMailbox(context), mail.calls]).toEqual([true, ['DELETE']]);
});

it('a mailbox that the provider does not remove is reported as left, for the sweep', async () => {
  const mail = await slowMail();
  mail.answer();
  const failure = Promise.withResolvers<never>();
  const context = aContext(mail.url, failure.promise);
  const settingUp = setUp(context, 0, new AbortController().signal);
  await expect.poll(() => mail.calls).toEqual(['PUT']);
  failure.reject(noBrowser());
  await expect(settingUp).rejects.toMatchObject({ reason: 'BrowserExited' });
  mail.refuse();
  expect(await removeMailbox(context)).toBe(false);
});

const OUTCOME: OutcomeMessage = {
  v: 1,
  attempt: 1,
  outcome: 'JudgePending',
  reason: 'Intercepted',
  message: 'Done.',
  stopReason: 'eval_matched',
  resultCategory: 'intercepted',
  intercepted: true,
  evidence: 'Complete',
  prefix: 'm/batch-b/m/r/a1-uid/',
  times: { started: 1, armed: 2, agentStarted: 3, stopped: 4, evidenceSafe: 5 },
  counts: { actions: 1, requests: 1, screenshots: 1, bytes: 1 },
  usage: { costUSD: null, tokens: 0, apiCalls: 0 },
  isolation: 'Namespace',
  agentIsolated: true,
  mailboxRemoved: false,
  claimedByAttempt: null,
};

it('a run that is finished already stays finished, whatever would fail in its set-up', async () => {
  const mail = await slowMail();
  const context = aContext(mail.url, Promise.reject(noBrowser()), true);
  const store = memoryStore();
  Object.assign(context.factories, { openStore: () => Promise.resolve(store) });
  const { run, dirs } = context.environment;
  await claimRun(store, run, OUTCOME);
  await store.put(`${OUTCOME.prefix}attempt-meta.json`, '{}', { contentType: 'application/json' });
  Object.assign(run, { attempt: 2 });
  writeFileSync(join(dirs.modelCalls, MODEL_CALLS_FILES.error), '{"message":"it died"}');
  const result = await setUp(context, 0, new AbortController().signal);
  expect(result).toEqual({ kind: 'finishedBefore', outcome: { ...OUTCOME, attempt: 2, claimedByAttempt: 1 } });
  // Nothing was started that could stop the attempt otherwise, or that would have to be undone.
  expect(Object.keys(context.held)).toEqual(['loaded', 'store', 'harnessData', 'evidence']);
});
