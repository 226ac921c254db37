import { InterceptionError } from '../../contracts.ts';
import { writeRunMeta } from '../../../store/run-meta.ts';
import { findClaim } from '../../evidence/run-claim.ts';
import { loadCase, TaskMismatch } from '../../task/load-case.ts';
import { inboxAddresses, MailboxFailed, openRunMailbox } from '../../task/run-mailbox.ts';
import { writeTask } from '../../task/write-task.ts';
import { readMountedSuite } from '../../../store/mounted-suite.ts';
import { StoreRefused, StoreUnavailable } from '../../../store/object-store.ts';
import { readSuiteOfBucket } from '../../../store/stored-suite.ts';
import type { SuiteFile } from '../../../benchmark/task/suite.ts';
import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import { attemptPrefix } from '../../../benchmark/protocol/names.ts';
import type { Context } from '../context.ts';
import { watchModel } from './watch-model.ts';
import { adopted } from '../finalise/finalise.ts';
import { openHarnessData } from './harness-data.ts';
import { agentModelEnv, agentModelOf, ModelGatewayFailed } from './model-gateway.ts';
import { markArmed } from '../marker-files.ts';
import { onInterception } from './on-interception.ts';

/** Set-up ends before any agent: with this reason and sentence. */
export class SetupFailed extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.name = 'SetupFailed';
    this.reason = reason;
  }
}

/**
 * From nothing to armed. Whether the run is finished already comes before all else: whatever fails then, the outcome is
 * there. Then what the browser waits for (its sockets), since its start is the longest part; the task is written
 * meanwhile.
 * @returns another attempt's outcome when the run is finished already; null: armed.
 * @throws SetupFailed
 */
export async function setUp(context: Context, port: number, signal: AbortSignal): Promise<OutcomeMessage | null> {
  context.holdings.controlPort = port;
  const failed = new AbortController();
  try {
    await openAll(context);
    const finished = await finishedBefore(context);
    if (finished !== null) return finished;
    context.holdings.endModelWatch = watchModel(context);
    const either = AbortSignal.any([signal, failed.signal]);
    const { promise: arming } = armed(context, port, either);
    await Promise.all([arming, writeTaskFiles(context, either)]);
    await startCapturing(context);
    markArmed(context.environment.dirs.run);
    return null;
  } catch (error) {
    // The other parts are not waited for: none of them may begin anything that nobody would end.
    failed.abort();
    throw setupFailure(error);
  }
}

async function openAll(context: Context): Promise<void> {
  const { environment, holdings, parts, metrics } = context;
  const { run, dirs } = environment;
  const [loaded, store] = await Promise.all([
    loadCase(() => suiteOf(context), run.caseName, run.taskSha256),
    parts.openStore(run.artifacts, { retrySeconds: 0 }),
  ]);
  holdings.loaded = loaded;
  holdings.store = await parts.openStore(run.artifacts, { retrySeconds: 30 });
  context.loop.setTimeLimit(run.timeLimitSeconds ?? loaded.task.timeLimitSeconds);
  holdings.harnessData = openHarnessData(dirs.harnessData);
  holdings.evidence = await parts.openEvidence({
    dirs,
    store,
    prefix: attemptPrefix(run),
    intervalMs: run.evidenceIntervalSeconds * 1000,
    secrets: environment.secrets,
    log: context.log,
    onUploadRetry: () => {
      metrics.uploadRetried();
    },
  });
}

function suiteOf({ environment }: Context): Promise<readonly SuiteFile[]> {
  const { run, dirs } = environment;
  if (run.suiteKey === null || run.artifacts.kind !== 's3') return readMountedSuite(dirs.suite);
  return readSuiteOfBucket(run.artifacts.s3, run.suiteKey);
}

/** `promise` is handed on unawaited, so that the rest of the set-up runs while the browser starts. */
function armed(context: Context, controlPort: number, signal: AbortSignal): { promise: Promise<void> } {
  const { environment, holdings, parts, log, tell } = context;
  const { run, dirs, ports, proxyPort, listenerProgram } = environment;
  const arm = async (): Promise<void> => {
    const interception = await parts.startInterception({
      runDir: dirs.run,
      doorPort: ports.door,
      ...(proxyPort === undefined ? {} : { proxyPort }),
      listenerProgram,
      controlPort,
      evalSchema: holdings.loaded?.task.evalSchema,
      network: { ...run.network, allow: [...run.network.allow, ...(await inboxAddresses(run, dirs.mailSecret))] },
      isolation: run.browser.isolation,
      log,
      onEvent: (event) => {
        onInterception(context, event);
      },
    });
    holdings.interception = interception;
    const { browserVersion, browserPid } = await interception.arm(signal);
    holdings.browserVersion = browserVersion;
    const { doorPort: door, proxyPort: proxy } = interception;
    context.holdings.announce = () => {
      tell({ event: 'armed', door, control: controlPort, proxy, browserPid });
    };
  };
  return { promise: arm() };
}

async function finishedBefore(context: Context): Promise<OutcomeMessage | null> {
  const { environment, holdings } = context;
  const { run } = environment;
  if (holdings.store === undefined) return null;
  const found = await findClaim(holdings.store, run);
  if (found === null) return null;
  if (found.kind === 'refused') throw new SetupFailed('ClaimedByOther', found.message);
  // The attempt that claimed may have died before its last object.
  await writeRunMeta(holdings.store, found.claim.outcome.prefix, null);
  return adopted(found.claim, run.attempt);
}

async function writeTaskFiles(context: Context, signal: AbortSignal): Promise<void> {
  const { environment, holdings } = context;
  if (holdings.loaded === undefined) return;
  if (environment.run.modelGateway) holdings.model = await agentModelOf(environment.dirs.modelCalls, signal);
  signal.throwIfAborted();
  holdings.mailbox = openRunMailbox(environment.run, environment.dirs.mailSecret, (secret) => {
    holdings.evidence?.addSecret(secret);
  });
  holdings.myInfo = await writeTask(holdings.loaded, {
    taskDir: environment.dirs.task,
    myInfoDir: environment.dirs.myInfo,
    timeLimitSeconds: environment.run.timeLimitSeconds ?? holdings.loaded.task.timeLimitSeconds,
    mailbox: await holdings.mailbox.made,
    ...(holdings.model === undefined ? {} : { env: agentModelEnv(holdings.model) }),
  });
  for (const secret of holdings.myInfo.secrets) holdings.evidence?.addSecret(secret);
}

async function startCapturing(context: Context): Promise<void> {
  const { holdings, parts, loop, log, now } = context;
  const { interception, evidence } = holdings;
  if (interception === undefined || evidence === undefined) return;
  holdings.capture = await parts.startCapture({
    endpoint: interception.evidenceEndpoint(),
    evidence,
    onAction: (at) => {
      holdings.harnessData?.actionSeen();
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
