import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readActionRow } from '../../../benchmark/bundle/action-row.ts';
import { interceptionOnMatch } from '../../../benchmark/bundle/interception-file.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import { runConfig } from '../../../benchmark/protocol/run-config.ts';
import { openEvidence } from '../../../sidecar/evidence/open.ts';
import type { StopCause } from '../../../sidecar/lifecycle/state-machine/stop-cause.ts';
import { setUpSoFar, type Context } from '../../../sidecar/lifecycle/context.ts';
import { finaliseAttempt } from '../../../sidecar/lifecycle/finalise/finalise.ts';
import { SetupFailed, setUp } from '../../../sidecar/lifecycle/set-up/set-up.ts';
import { initialState } from '../../../sidecar/lifecycle/state-machine/state.ts';
import { InterceptionError } from '../../../sidecar/contracts.ts';
import { memoryStore, type MemoryStore } from '../../../store/memory.fixture.ts';
import { writeSuiteArchive } from '../../../store/suite-archive.ts';

/** What happens in an attempt; everything else succeeds. */
export interface AttemptStory {
  /** Why it ends after setup. */
  readonly cause: StopCause;
  /** Content of the suite's task file; null: missing. */
  readonly task?: string | null;
  readonly mailRefused?: true;
  readonly browserFails?: true;
  readonly browserFailsToClose?: true;
  readonly recordingLost?: true;
  /** The object store is unreachable during the upload of the evidence. */
  readonly storeAway?: true;
  /** What a page passes to the binding, besides a click. */
  readonly payload?: string;
  /** A line that is in `actions.jsonl`, however it got there. */
  readonly line?: string;
}

export interface PlayedAttempt {
  readonly store: MemoryStore;
  readonly message: OutcomeMessage;
  /** Whether the mail provider was asked to remove the mailbox. */
  readonly mailboxDeleted: boolean;
}

const TASK = '{"instruction":"i","eval_schema":{"url_pattern":"/hit","method":"POST"},"time_limit":1}';
/** Where it writes its files. */
export const CASE_PREFIX = 'm/batch-b/m/r/a1-run/';
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
  mail: { provider: 'SMTPCatchAll' },
};
const REQUEST = {
  at: 1_700_000_000_000,
  url: 'https://x.test/hit',
  method: 'POST',
  headers: {},
  resourceType: 'Fetch',
  frameId: 'F',
  body: Buffer.from('n=1'),
  bodyStatus: 'complete',
} as const;
const MESSAGE = { type: 'assistant', message: { role: 'assistant', content: 'x', usage: { input_tokens: 1 } } };
/** Long enough for a store that responds, short enough for one that does not. */
const GIVE_UP_MS = 150;

/**
 * Runs one attempt with the recorder's own setup, evidence and finalization, on temporary folders, an in-memory store and a mail
 * server on loopback. Only browser and capture are scripted.
 */
export async function playAttempt(story: AttemptStory): Promise<PlayedAttempt> {
  const mail = await openMailServer(story.mailRefused === true ? 403 : 204);
  const root = await mkdtemp(join(tmpdir(), 'attempt-'));
  const store = memoryStore();
  try {
    const context = await contextOf(story, { root, store, webUrl: mail.url });
    const cause = (await failureOfSetUp(context)) ?? story.cause;
    if (cause === story.cause) await act(context, story);
    Object.assign(context.loop.state, { cause });
    const message = await finalised(context, store, story);
    return { store, message, mailboxDeleted: mail.calls.includes('DELETE') };
  } finally {
    await mail.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function failureOfSetUp(context: Context): Promise<StopCause | null> {
  try {
    await setUp(context, 0, new AbortController().signal);
    return null;
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    return { kind: 'infrastructure', reason: error.reason, message: error.message };
  }
}

/** The agent's session: a click, the page's other actions, a request, a message. */
async function act({ environment, held }: Context, story: AttemptStory): Promise<void> {
  const { evidence, loaded } = held;
  if (evidence === undefined || loaded === undefined) throw new Error('setup created no evidence');
  for (const payload of ['{"type":"click"}', story.payload]) {
    const row = payload === undefined ? null : readActionRow(payload, REQUEST.at);
    if (row !== null) evidence.action({ ...row });
  }
  evidence.request(REQUEST);
  if (story.cause.kind === 'intercepted') {
    const seen = { ...REQUEST, frameUrl: '', initiator: '' };
    evidence.interception({ ...interceptionOnMatch(seen, loaded.task.evalSchema) });
  }
  const { dirs } = environment;
  await appendFile(join(dirs.harnessData, 'agent-messages.jsonl'), `${JSON.stringify(MESSAGE)}\n`);
  if (story.recordingLost !== true) await writeFile(join(dirs.recording, 'recording.mp4'), 'video');
  await evidence.flush(AbortSignal.timeout(GIVE_UP_MS));
  if (story.line !== undefined) await appendFile(join(dirs.evidence, 'data', 'actions.jsonl'), `${story.line}\n`);
}

async function finalised(context: Context, store: MemoryStore, story: AttemptStory): Promise<OutcomeMessage> {
  if (story.storeAway !== true) return finaliseAttempt(context);
  store.down();
  const patience = setTimeout(() => {
    context.finaliseAbort.abort();
  }, GIVE_UP_MS);
  try {
    return await finaliseAttempt(context);
  } finally {
    clearTimeout(patience);
    store.up();
  }
}

interface Around {
  readonly root: string;
  readonly store: MemoryStore;
  readonly webUrl: string;
}

async function contextOf(story: AttemptStory, { root, store, webUrl }: Around): Promise<Context> {
  const dir = async (name: string, files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> => {
    await mkdir(join(root, name), { recursive: true });
    for (const [file, bytes] of Object.entries(files)) await writeFile(join(root, name, file), bytes);
    return join(root, name);
  };
  const task = story.task === null ? '2/task.json' : '1/task.json';
  const suite = await writeSuiteArchive([{ path: task, bytes: Buffer.from(story.task ?? TASK) }]);
  const context = {
    environment: {
      run: runConfig.parse({ ...RUN, artifacts: { kind: 'directory', path: root } }),
      local: false,
      dirs: {
        run: await dir('run'),
        suite: await dir('suite', { 'suite.tar.gz': suite }),
        task: await dir('task'),
        myInfo: await dir('my-info'),
        harnessData: await dir('data'),
        evidence: await dir('evidence'),
        recording: await dir('recording'),
        modelCalls: await dir('model-calls'),
        mailSecret: await dir('mail', { domain: 'mail.test', webUrl, adminToken: 'admin-token-of-the-case' }),
      },
      ports: { devTools: 0, control: 0, progress: 0 },
      secrets: [],
    },
    factories: partsOf(story, store),
    ...setUpSoFar(),
    recording: { status: 'stopped', stop: () => Promise.resolve('stopped') },
    loop: { state: { ...initialState(REQUEST.at) }, setTimeLimit: () => undefined },
    log: pino({ level: 'silent' }),
    onSessionEvent: () => undefined,
    metrics: { uploadRetried: () => undefined },
    finaliseAbort: new AbortController(),
    now: Date.now,
  };
  return context as unknown as Context;
}

function partsOf(story: AttemptStory, store: MemoryStore): unknown {
  const interception = {
    devToolsPort: 1,
    proxyPort: null,
    arm: () => Promise.resolve({ browserVersion: 'Chromium/1', browserPid: 1 }),
    evidenceEndpoint: () => null,
    traffic: () => null,
    close: () => (story.browserFailsToClose === true ? Promise.reject(new Error('it stays')) : Promise.resolve()),
  };
  const failure = new InterceptionError('InterceptionNotArmed', 'no browser');
  return {
    openStore: () => Promise.resolve(store),
    openEvidence,
    startInterception: () => (story.browserFails === true ? Promise.reject(failure) : Promise.resolve(interception)),
    startCapture: () => Promise.resolve({ stop: () => Promise.resolve() }),
  };
}

async function openMailServer(
  status: number,
): Promise<{ url: string; calls: readonly string[]; close: () => Promise<void> }> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    calls.push(request.method ?? '');
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, calls, close };
}
