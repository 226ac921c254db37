import type { Logger } from 'pino';
import type { AgentModel } from '../../benchmark/protocol/model-gateway.ts';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { openStore } from '../../store/open.ts';
import type { StartCaptureOptions } from '../capture/start.ts';
import type { Capture, EvidenceWriter, BrowserInterception, StartInterception } from '../contracts.ts';
import type { EvidenceOptions } from '../evidence/open.ts';
import type { RecorderMetrics } from '../progress/metrics.ts';
import type { LoadedCase } from '../task/load-case.ts';
import type { RunMailbox } from '../task/run-mailbox.ts';
import type { WrittenTask } from '../task/write-task.ts';
import type { AgentStopSignal } from './agent-stop-signal.ts';
import type { RecorderEnvironment } from './environment.ts';
import type { VideoRecording } from './finalise/recording.ts';
import type { SessionEvent } from './session-event.ts';
import type { HarnessData } from './set-up/harness-data.ts';
import type { ModelWatch } from './set-up/model-gateway.ts';
import type { EventLoop } from './state-machine/event-loop.ts';

/** Starts the parts of a recorder; a test puts scripted ones in their place. */
export interface Factories {
  readonly startInterception: StartInterception;
  readonly startCapture: (options: StartCaptureOptions) => Promise<Capture>;
  readonly openEvidence: (options: EvidenceOptions) => Promise<EvidenceWriter>;
  readonly openStore: typeof openStore;
}

/** What set-up opens first: all that is needed to store the evidence of an attempt, even of one without a browser. */
export interface OpenedAttempt {
  readonly loaded: LoadedCase;
  /** Retries for 30 s; the evidence has a store of single tries. */
  readonly store: ObjectStore;
  readonly harnessData: HarnessData;
  readonly evidence: EvidenceWriter;
}

/** What set-up has made once an agent may start. */
export interface ArmedAttempt extends OpenedAttempt {
  readonly modelWatch: ModelWatch;
  readonly interception: BrowserInterception;
  readonly browser: { readonly version: string; readonly pid: number | null };
  /** What the model gateway says of the model; null in a Pod that has no gateway. */
  readonly model: AgentModel | null;
  /** Removed when the attempt is finalised, also while it is still being made. */
  readonly mailbox: RunMailbox;
  /** The files that were written for the agent. */
  readonly task: WrittenTask;
  readonly capture: Capture;
}

/**
 * The parts that set-up has made so far, each from the moment it exists. A deadline, a dead browser or a deleted Pod can
 * end set-up half-way, and finalising then has to close exactly these.
 */
export interface SetUpSoFar {
  readonly held: Partial<ArmedAttempt>;
  /** Records a part and returns it. */
  readonly hold: <Name extends keyof ArmedAttempt>(name: Name, part: ArmedAttempt[Name]) => ArmedAttempt[Name];
}

export function setUpSoFar(): SetUpSoFar {
  const held: { -readonly [Name in keyof ArmedAttempt]?: ArmedAttempt[Name] } = {};
  return { held, hold: (name, part) => (held[name] = part) };
}

export interface Context extends SetUpSoFar {
  readonly environment: RecorderEnvironment;
  readonly factories: Factories;
  readonly log: Logger;
  readonly now: () => number;
  readonly loop: EventLoop;
  readonly agentStop: AgentStopSignal;
  readonly metrics: RecorderMetrics;
  readonly recording: VideoRecording;
  /** Aborted when finalising took longer than it may. */
  readonly finaliseAbort: AbortController;
  /** For the command that started a local session; does nothing in a Pod. */
  readonly onSessionEvent: (event: SessionEvent) => void;
  /** The attempt's outcome, once; resolves `finalise` calls. */
  readonly outcome: { readonly promise: Promise<OutcomeMessage>; readonly resolve: (message: OutcomeMessage) => void };
}
