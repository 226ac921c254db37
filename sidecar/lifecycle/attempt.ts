import type { Logger } from 'pino';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { startControl } from '../control/server.ts';
import { liveUsage } from '../model-gateway/read-state.ts';
import { createMetrics } from '../progress/metrics.ts';
import { progressOf } from '../progress/progress.ts';
import { startProgress } from '../progress/server.ts';
import { createAgentStopSignal } from './agent-stop-signal.ts';
import { attemptControl, metricsText } from './attempt-control.ts';
import { setUpSoFar, type Context, type Factories } from './context.ts';
import type { RecorderEnvironment } from './environment.ts';
import { storeOutcome, writeFallbackOutcome } from './finalise/fallback-outcome.ts';
import { finaliseAttempt, provisionalMessage } from './finalise/finalise.ts';
import { writeTerminationMessage } from './finalise/outcome-file.ts';
import { openRecording } from './finalise/recording.ts';
import type { SessionEvent } from './session-event.ts';
import { setUp, type SetupFailed } from './set-up/set-up.ts';
import { watchBrowser } from './set-up/watch-browser.ts';
import { createEventLoop } from './state-machine/event-loop.ts';
import type { Effect } from './state-machine/step.ts';
import { externalStopCause } from './state-machine/stop-cause.ts';

export interface AttemptOptions {
  readonly environment: RecorderEnvironment;
  readonly factories: Factories;
  readonly log: Logger;
  readonly onSessionEvent: (event: SessionEvent) => void;
  readonly now?: () => number;
}

export interface RunningAttempt {
  /** The outcome, once the evidence is safe or given up on. The control API continues to answer. */
  readonly outcome: Promise<OutcomeMessage>;
  /**
   * Whether the attempt ended before it was armed, in a Pod. Kubelet has not started the harness then and never will, so
   * no shim reports the outcome. The recorder must exit: the operator reads the termination message of its first life.
   */
  endedUnarmed(): boolean;
  /** Stops the attempt from outside. In a Pod about two seconds are left; a local session has time. */
  terminate(): void;
  /** Closes the ports. */
  close(): Promise<void>;
}

/** Runs one attempt: opens the ports, sets up, and then lets events drive the state machine. */
export async function startAttempt(options: AttemptOptions): Promise<RunningAttempt> {
  const { environment, log } = options;
  const context = createContext(options);
  const { held } = context;
  const control = await startControl(attemptControl(context), environment.ports.control, log);
  const progress = await startProgress(progressSource(context), environment.ports.progress, environment.progressHost);
  writeFallbackOutcome(context, 'None');
  const endWatch = watchBrowser(environment.dirs.run, ({ reason, message }) => {
    context.loop.dispatch({ type: 'failed', at: context.now(), reason, message });
  });
  const settingUp = new AbortController();
  void setUpAndArm(context, control.port, settingUp.signal);
  void context.agentStop.wait(settingUp.signal).then(() => {
    settingUp.abort();
  });
  return {
    outcome: context.outcome.promise,
    endedUnarmed: () => !environment.local && context.loop.state.armedAt === null,
    terminate: () => {
      terminate(context);
    },
    close: async () => {
      endWatch();
      held.modelWatch?.end();
      held.harnessData?.close();
      await held.interception?.close().catch(() => undefined);
      await Promise.all([control.close(), progress.close(), held.evidence?.close()]);
    },
  };
}

function createContext({ environment, factories, log, onSessionEvent, now = Date.now }: AttemptOptions): Context {
  const { promise, resolve } = Promise.withResolvers<OutcomeMessage>();
  const soFar = setUpSoFar();
  const { dirs, run } = environment;
  const isRecorded = (): boolean => run.browser.recording === 'Video' && soFar.held.interception !== undefined;
  const context: Context = {
    ...soFar,
    environment,
    factories,
    log,
    now,
    agentStop: createAgentStopSignal(),
    metrics: createMetrics(),
    recording: openRecording({ dirs, isRecorded }),
    finaliseAbort: new AbortController(),
    onSessionEvent,
    outcome: { promise, resolve },
    loop: createEventLoop({
      limits: { deadlines: run.deadlines, timeLimitSeconds: run.timeLimitSeconds ?? Infinity },
      perform: (effect) => {
        EFFECTS[effect](context);
      },
      now,
      log,
    }),
  };
  return context;
}

/** What each effect of the state machine does. Every one may be asked for twice. */
const EFFECTS: Readonly<Record<Effect, (context: Context) => void>> = {
  freeze: ({ held }) => {
    held.interception?.freeze();
  },
  stopAgent: ({ held, loop, environment, agentStop }) => {
    held.harnessData?.stopRequested();
    const { agentKillSeconds: killSeconds } = environment.run.deadlines;
    agentStop.send({ reason: loop.state.cause?.kind ?? 'stop', killSeconds });
  },
  finalise: (context) => {
    void finaliseAttempt(context).then((message) => {
      conclude(context, message);
    });
  },
  abortFinalise: ({ finaliseAbort }) => {
    finaliseAbort.abort();
  },
  flush: ({ held }) => {
    void held.evidence?.flush(AbortSignal.timeout(FLUSH_MS)).catch(() => undefined);
  },
  reportNow: (context) => {
    writeTerminationMessage(context.environment.terminationLog, provisionalMessage(context));
  },
};

/** Of the two seconds that a forced delete leaves. */
const FLUSH_MS = 1500;

function conclude(context: Context, message: OutcomeMessage): void {
  const { outcome, reason, stopReason, evidence, prefix } = message;
  const { run, terminationLog } = context.environment;
  writeTerminationMessage(terminationLog, message);
  storeOutcome(context, message);
  context.log.info({ run: run.run, attempt: run.attempt, outcome, reason, stopReason, evidence }, 'attempt finished');
  context.outcome.resolve(message);
  context.loop.dispatch({ type: 'finalised', at: context.now() });
  context.agentStop.send({ reason: 'finished', killSeconds: run.deadlines.agentKillSeconds });
  context.onSessionEvent({
    event: 'finished',
    outcome,
    reason,
    message: message.message,
    stopReason,
    evidence,
    prefix,
  });
}

async function setUpAndArm(context: Context, controlPort: number, signal: AbortSignal): Promise<void> {
  const { loop, now } = context;
  try {
    const result = await setUp(context, controlPort, signal);
    if (result.kind === 'finishedBefore') {
      // This attempt has no mailbox: set-up would have made it later.
      conclude(context, { ...result.outcome, mailboxRemoved: true });
      return;
    }
    loop.dispatch({ type: 'armed', at: now() });
    writeFallbackOutcome(context, 'Partial');
    if (loop.state.phase !== 'AwaitingAgent') return;
    const { interception, browser } = result.attempt;
    const { devToolsPort: devTools, proxyPort: proxy } = interception;
    context.onSessionEvent({ event: 'armed', devTools, control: controlPort, proxy, browserPid: browser.pid });
  } catch (error) {
    const { reason, message } = error as SetupFailed;
    loop.dispatch({ type: 'failed', at: now(), reason, message });
  }
}

function terminate({ environment, loop, now }: Context): void {
  const cause = externalStopCause(environment);
  loop.dispatch({ type: 'terminate', at: now(), cause, podTerminating: !environment.local });
}

function progressSource(context: Context): { progress: () => Promise<unknown>; metrics: () => Promise<string> } {
  const { environment, loop, held, now } = context;
  const none = { actions: 0, requests: 0, screenshots: 0, bytes: 0 };
  let outcome: OutcomeMessage | null = null;
  void context.outcome.promise.then((message) => {
    outcome = message;
  });
  return {
    progress: async () =>
      progressOf(
        {
          attempt: environment.run.attempt,
          state: loop.state,
          timeLimitSeconds: environment.run.timeLimitSeconds ?? held.loaded?.task.timeLimitSeconds ?? 0,
          outcome: outcome?.outcome ?? null,
          counts: held.evidence?.counts ?? none,
          usage: outcome?.usage ?? (await liveUsage(environment.dirs.modelCalls)),
        },
        now(),
      ),
    metrics: () => metricsText(context),
  };
}
