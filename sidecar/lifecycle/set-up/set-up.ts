import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import { attemptPrefix } from '../../../benchmark/protocol/names.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import { RUN_FILES } from '../../../benchmark/protocol/pod-paths.ts';
import type { SuiteFile } from '../../../benchmark/task/suite.ts';
import { readMountedSuite } from '../../../store/mounted-suite.ts';
import { StoreRefused, StoreUnavailable, type ObjectStore } from '../../../store/object-store.ts';
import { writeRunMeta } from '../../../store/run-meta.ts';
import { readSuiteOfBucket } from '../../../store/stored-suite.ts';
import { InterceptionError, type Capture, type BrowserInterception } from '../../contracts.ts';
import { adoptedOutcome, findClaim } from '../../evidence/run-claim.ts';
import { loadCase, TaskMismatch } from '../../task/load-case.ts';
import { inboxAddresses, MailboxFailed, openRunMailbox } from '../../task/run-mailbox.ts';
import { writeTask } from '../../task/write-task.ts';
import type { ArmedAttempt, Context, OpenedAttempt } from '../context.ts';
import { openHarnessData } from './harness-data.ts';
import { agentModelEnv, ModelGatewayFailed, waitForModelGateway } from './model-gateway.ts';
import { onInterception } from './on-interception.ts';
import { watchModelCalls } from './watch-model-calls.ts';

/** Set-up ends before any agent starts, for this reason. */
export class SetupFailed extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.name = 'SetupFailed';
    this.reason = reason;
  }
}

export type SetUpResult =
  | { readonly kind: 'armed'; readonly attempt: ArmedAttempt }
  /** Another attempt finished this run before; its outcome is this attempt's. */
  | { readonly kind: 'finishedBefore'; readonly outcome: OutcomeMessage };

/**
 * From nothing to armed. Whether the run is finished already comes before all else, so that its outcome is reported
 * whatever fails later. Then what the browser waits for (its sockets), since its start takes longest; the task is written
 * meanwhile.
 * @throws SetupFailed
 */
export async function setUp(context: Context, controlPort: number, signal: AbortSignal): Promise<SetUpResult> {
  const failed = new AbortController();
  try {
    const opened = await open(context);
    const outcome = await finishedBefore(context, opened.store);
    if (outcome !== null) return { kind: 'finishedBefore', outcome };
    const modelWatch = context.hold('modelWatch', watchModelCalls(context));
    const both = { ...opened, controlPort, signal: AbortSignal.any([signal, failed.signal]) };
    const [browser, task] = await Promise.all([armBrowser(context, both), writeTaskFiles(context, both)]);
    const capture = context.hold('capture', await startCapturing(context, opened, browser.interception));
    // Lets the browser container's startup probe pass, and with it kubelet start the agent.
    writeFileSync(join(context.environment.dirs.run, RUN_FILES.armed), '');
    return { kind: 'armed', attempt: { ...opened, modelWatch, ...browser, ...task, capture } };
  } catch (error) {
    // The other parts are not waited for, so none of them may begin anything that would never be closed.
    failed.abort();
    throw setupFailure(error);
  }
}

async function open(context: Context): Promise<OpenedAttempt> {
  const { environment, factories, metrics, hold } = context;
  const { run, dirs } = environment;
  const [loadedCase, uploadStore] = await Promise.all([
    loadCase(() => suiteOf(context), run.caseName, run.taskSha256),
    factories.openStore(run.artifacts, { retrySeconds: 0 }),
  ]);
  const loaded = hold('loaded', loadedCase);
  const store = hold('store', await factories.openStore(run.artifacts, { retrySeconds: 30 }));
  context.loop.setTimeLimit(run.timeLimitSeconds ?? loaded.task.timeLimitSeconds);
  const harnessData = hold('harnessData', openHarnessData(dirs.harnessData));
  const evidence = await factories.openEvidence({
    dirs,
    store: uploadStore,
    prefix: attemptPrefix(run),
    intervalMs: run.evidenceIntervalSeconds * 1000,
    secrets: environment.secrets,
    log: context.log,
    onUploadRetry: () => {
      metrics.uploadRetried();
    },
  });
  return { loaded, store, harnessData, evidence: hold('evidence', evidence) };
}

function suiteOf({ environment }: Context): Promise<readonly SuiteFile[]> {
  const { run, dirs } = environment;
  if (run.suiteKey === null || run.artifacts.kind !== 's3') return readMountedSuite(dirs.suite);
  return readSuiteOfBucket(run.artifacts.s3, run.suiteKey);
}

async function finishedBefore({ environment }: Context, store: ObjectStore): Promise<OutcomeMessage | null> {
  const { run } = environment;
  const found = await findClaim(store, run);
  if (found === null) return null;
  if (found.kind === 'refused') throw new SetupFailed('ClaimedByOther', found.message);
  // The attempt that claimed may have died before its last object.
  await writeRunMeta(store, found.claim.outcome.prefix, null);
  return adoptedOutcome(found.claim, run.attempt);
}

/** The steps that run side by side while the browser starts. */
interface Opened extends OpenedAttempt {
  readonly controlPort: number;
  /** Aborted when the attempt is stopped, or when the other step failed. */
  readonly signal: AbortSignal;
}

async function armBrowser(
  context: Context,
  { loaded, evidence, controlPort, signal }: Opened,
): Promise<Pick<ArmedAttempt, 'interception' | 'browser'>> {
  const { environment, factories, log, hold } = context;
  const { run, dirs, ports, proxyPort, listenerProgram } = environment;
  const started = await factories.startInterception({
    runDir: dirs.run,
    devToolsPort: ports.devTools,
    ...(proxyPort === undefined ? {} : { proxyPort }),
    listenerProgram,
    controlPort,
    evalSchema: loaded.task.evalSchema,
    network: { ...run.network, allow: [...run.network.allow, ...(await inboxAddresses(run, dirs.mailSecret))] },
    isolation: run.browser.isolation,
    log,
    onEvent: (event) => {
      onInterception(context, { loaded, evidence, controlPort }, event);
    },
  });
  const interception = hold('interception', started);
  const { browserVersion: version, browserPid: pid } = await interception.arm(signal);
  return { interception, browser: hold('browser', { version, pid }) };
}

async function writeTaskFiles(
  context: Context,
  { loaded, evidence, signal }: Opened,
): Promise<Pick<ArmedAttempt, 'model' | 'mailbox' | 'task'>> {
  const { hold } = context;
  const { run, dirs } = context.environment;
  const model = hold('model', run.modelGateway ? await waitForModelGateway(dirs.modelCalls, signal) : null);
  signal.throwIfAborted();
  const mailbox = hold(
    'mailbox',
    openRunMailbox(run, dirs.mailSecret, (secret) => {
      evidence.addSecret(secret);
    }),
  );
  const written = await writeTask(loaded, {
    taskDir: dirs.task,
    myInfoDir: dirs.myInfo,
    timeLimitSeconds: run.timeLimitSeconds ?? loaded.task.timeLimitSeconds,
    mailbox: await mailbox.made,
    ...(model === null ? {} : { env: agentModelEnv(model) }),
  });
  for (const secret of written.secrets) evidence.addSecret(secret);
  return { model, mailbox, task: hold('task', written) };
}

function startCapturing(
  { factories, loop, log, now }: Context,
  { evidence, harnessData }: OpenedAttempt,
  interception: BrowserInterception,
): Promise<Capture> {
  return factories.startCapture({
    endpoint: interception.evidenceEndpoint(),
    evidence,
    onAction: (at) => {
      harnessData.actionSeen();
      loop.dispatch({ type: 'action', at });
    },
    onLost: (message) => {
      loop.dispatch({ type: 'failed', at: now(), reason: 'CdpLost', message });
    },
    log,
  });
}

function setupFailure(error: unknown): SetupFailed {
  if (error instanceof SetupFailed) return error;
  if (error instanceof InterceptionError) return new SetupFailed(error.reason, error.message);
  if (error instanceof TaskMismatch) return new SetupFailed('TaskMismatch', error.message);
  if (error instanceof ModelGatewayFailed) return new SetupFailed('ModelGatewayFailed', error.message);
  if (error instanceof MailboxFailed) return new SetupFailed('MailboxFailed', error.message);
  if (error instanceof StoreRefused || error instanceof StoreUnavailable)
    return new SetupFailed('StorageFailed', error.message);
  const { message } = error as Error;
  const code = (error as NodeJS.ErrnoException).code;
  return new SetupFailed(code === 'ENOSPC' ? 'DiskFull' : 'InternalError', message);
}
