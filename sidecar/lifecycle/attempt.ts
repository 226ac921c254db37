import type { Logger } from 'pino';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { startControl } from '../control/server.ts';
import { createMetrics } from '../progress/metrics.ts';
import { startProgress } from '../progress/server.ts';
import { progressOf } from '../progress/progress.ts';
import { watchBrowser } from './set-up/watch-browser.ts';
import { endFromOutside } from './state-machine/stop-cause.ts';
import type { Context, Holdings, Parts } from './context.ts';
import { controlSurface } from './attempt-control.ts';
import type { Environment } from './environment.ts';
import { finaliseAttempt, mailboxIsGone, provisionalMessage } from './finalise/finalise.ts';
import { createLoop } from './state-machine/event-loop.ts';
import type { Effect } from './state-machine/step.ts';
import { liveUsage } from './finalise/live-usage.ts';
import { writeTerminationMessage } from './finalise/outcome-file.ts';
import type { SessionEvent } from './session-event.ts';
import { setUp, type SetupFailed } from './set-up/set-up.ts';
import { createStopSignal } from './stop-signal.ts';
import { rememberOutcome, writeLostMessage } from './finalise/fallback-outcome.ts';

export interface AttemptOptions {
  readonly environment: Environment;
  readonly parts: Parts;
  readonly log: Logger;
  readonly tell: (event: SessionEvent) => void;
  readonly now?: () => number;
}

export interface Attempt {
  /** The outcome, once the evidence is safe or given up on. The control API goes on answering. */
  readonly outcome: Promise<OutcomeMessage>;
  /**
   * In a Pod, an attempt that ended before it was armed: kubelet has not started the harness, and so no shim, and never
   * will. Exiting is then the way to be heard: the operator reads the message of the recorder's first life.
   */
  nobodyReports(): boolean;
  /** The end comes from outside. In a Pod about two seconds are left; a local session has time. */
  terminate(): void;
  /** Closes the ports. */
  close(): Promise<void>;
}

/** Runs one attempt: opens the ports, sets up, and then lets events drive the machine. */
export async function startAttempt(options: AttemptOptions): Promise<Attempt> {
  const { environment, log } = options;
  const context = createContext(options);
  const control = await startControl(controlSurface(context), environment.ports.control, log);
  const progress = await startProgress(progressSource(context), environment.ports.progress, environment.progressHost);
  writeLostMessage(context, 'None');
  const endWatch = watchBrowser(environment.dirs.run, ({ reason, message }) => {
    context.loop.dispatch({ type: 'failed', at: context.now(), reason, message });
  });
  const settingUp = new AbortController();
  void setUpThen(context, control.port, settingUp.signal);
  void context.stop.wait(settingUp.signal).then(() => {
    settingUp.abort();
  });
  return {
    outcome: context.outcome.promise,
    nobodyReports: () => !environment.local && context.loop.state.armedAt === null,
    terminate: () => {
      terminate(context);
    },
    close: async () => {
      endWatch();
      context.holdings.endModelWatch?.();
      context.holdings.harnessData?.close();
      await context.holdings.interception?.close().catch(() => undefined);
      await Promise.all([control.close(), progress.close(), context.holdings.evidence?.close()]);
    },
  };
}

function createContext({ environment, parts, log, tell, now = Date.now }: AttemptOptions): Context {
  const { promise, resolve } = Promise.withResolvers<OutcomeMessage>();
  const holdings: Holdings = { bodyUnavailable: false, hurried: false };
  const context: Context = {
    environment,
    parts,
    log,
    now,
    stop: createStopSignal(),
    metrics: createMetrics(),
    holdings,
    abandon: new AbortController(),
    tell,
    outcome: { promise, resolve },
    loop: createLoop({
      limits: { deadlines: environment.run.deadlines, timeLimitSeconds: environment.run.timeLimitSeconds ?? Infinity },
      perform: (effect) => {
        EFFECTS[effect](context);
      },
      now,
      log,
    }),
  };
  return context;
}

/** The machine's effects in the world. Each may be asked for twice. */
const EFFECTS: Readonly<Record<Effect, (context: Context) => void>> = {
  freeze: ({ holdings }) => {
    holdings.interception?.freeze();
  },
  stopAgent: ({ holdings, loop, environment, stop }) => {
    holdings.harnessData?.stopRequested();
    const { agentKillSeconds: killSeconds } = environment.run.deadlines;
    stop.give({ reason: loop.state.cause?.kind ?? 'stop', killSeconds });
  },
  finalise: (context) => {
    void finaliseAttempt(context).then((message) => {
      conclude(context, message);
    });
  },
  abortFinalise: ({ abandon }) => {
    abandon.abort();
  },
  flush: ({ holdings }) => {
    void holdings.evidence?.flush(AbortSignal.timeout(FLUSH_MS)).catch(() => undefined);
  },
  reportNow: (context) => {
    writeTerminationMessage(context.environment.terminationLog, provisionalMessage(context));
  },
};

/** Of the two seconds that a forced delete leaves. */
const FLUSH_MS = 1500;

function conclude(context: Context, decided: OutcomeMessage): void {
  // Of this attempt, also where the outcome is another's.
  const message = { ...decided, mailboxRemoved: mailboxIsGone(context) };
  const { outcome, reason, stopReason, evidence, prefix } = message;
  writeTerminationMessage(context.environment.terminationLog, message);
  rememberOutcome(context, message);
  context.log.info({ outcome, reason, stopReason, evidence }, 'finished');
  context.outcome.resolve(message);
  context.loop.dispatch({ type: 'finalised', at: context.now() });
  context.stop.give({ reason: 'finished', killSeconds: context.environment.run.deadlines.agentKillSeconds });
  context.tell({ event: 'finished', outcome, reason, message: message.message, stopReason, evidence, prefix });
}

async function setUpThen(context: Context, port: number, signal: AbortSignal): Promise<void> {
  const { loop, now, holdings } = context;
  try {
    const finished = await setUp(context, port, signal);
    if (finished !== null) {
      holdings.interception?.freeze();
      conclude(context, finished);
      return;
    }
    loop.dispatch({ type: 'armed', at: now() });
    writeLostMessage(context, 'Partial');
    if (loop.state.phase === 'AwaitingAgent') holdings.announce?.();
  } catch (error) {
    const { reason, message } = error as SetupFailed;
    loop.dispatch({ type: 'failed', at: now(), reason, message });
  }
}

function terminate({ environment, loop, now, holdings }: Context): void {
  holdings.hurried = !environment.local && loop.state.phase !== 'Done';
  const cause = endFromOutside(environment);
  loop.dispatch({ type: 'terminate', at: now(), cause, now: !environment.local });
}

function progressSource(context: Context): { progress: () => Promise<unknown>; metrics: () => Promise<string> } {
  const { environment, loop, holdings, metrics, now } = context;
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
          timeLimitSeconds: environment.run.timeLimitSeconds ?? holdings.loaded?.task.timeLimitSeconds ?? 0,
          outcome: outcome?.outcome ?? null,
          counts: holdings.evidence?.counts ?? none,
          usage: outcome?.usage ?? (await liveUsage(environment.dirs.modelCalls)),
        },
        now(),
      ),
    metrics: () => {
      metrics.evidenceBytes(holdings.evidence?.counts.bytes ?? 0);
      return metrics.registry.metrics();
    },
  };
}
