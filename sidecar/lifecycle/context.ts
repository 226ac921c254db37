import type { Logger } from 'pino';
import type { AgentModel, GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { openStore } from '../../store/open.ts';
import type { StartCaptureOptions } from '../capture/start.ts';
import type { Capture, Evidence, Interception, StartInterception } from '../contracts.ts';
import type { EvidenceOptions } from '../evidence/open.ts';
import type { RecorderMetrics } from '../progress/metrics.ts';
import type { LoadedCase } from '../task/load-case.ts';
import type { RunMailbox } from '../task/run-mailbox.ts';
import type { WrittenTask } from '../task/write-task.ts';
import type { Environment } from './environment.ts';
import type { HarnessData } from './set-up/harness-data.ts';
import type { Loop } from './state-machine/event-loop.ts';
import type { SessionEvent } from './session-event.ts';
import type { StopSignal } from './stop-signal.ts';

/** The recorder's own parts, as functions, so that a test can put scripted ones in their place. */
export interface Parts {
  readonly startInterception: StartInterception;
  readonly startCapture: (options: StartCaptureOptions) => Promise<Capture>;
  readonly openEvidence: (options: EvidenceOptions) => Promise<Evidence>;
  readonly openStore: typeof openStore;
}

/** What an attempt gathers while it is set up. Undefined: not there (yet), and every reader has to live with that. */
export interface Holdings {
  loaded?: LoadedCase;
  store?: ObjectStore;
  evidence?: Evidence;
  harnessData?: HarnessData;
  interception?: Interception;
  capture?: Capture;
  /** Where the control API listens. */
  controlPort?: number;
  browserVersion?: string;
  /** Removed when the attempt ends. */
  mailbox?: RunMailbox;
  /** Whether that went well; undefined: not tried yet. */
  mailboxRemoved?: boolean;
  /** What is known of the model, and what its gateway counted so far; only where the Pod has one. */
  model?: AgentModel;
  modelState?: GatewayState;
  endModelWatch?: () => void;
  /** What `my-info` was made from, for run-meta. */
  myInfo?: WrittenTask;
  /** The terminal request's body, which the task filters by, could not be read. */
  bodyUnavailable: boolean;
  /** SIGTERM in a Pod: about two seconds were left. */
  hurried: boolean;
  /** Tells the starter of a local session the ports; set once they are known. */
  announce?: () => void;
  /** `stopRecording`'s word once it was stopped. */
  recorderStatus?: string;
}

export interface Context {
  readonly environment: Environment;
  readonly parts: Parts;
  readonly log: Logger;
  readonly now: () => number;
  readonly loop: Loop;
  readonly stop: StopSignal;
  readonly metrics: RecorderMetrics;
  readonly holdings: Holdings;
  /** Aborted when finalising took longer than it may. */
  readonly abandon: AbortController;
  /** Told to whoever started a local session; nobody listens in a Pod. */
  readonly tell: (event: SessionEvent) => void;
  /** The attempt's outcome, once; resolves `finalise` calls. */
  readonly outcome: { readonly promise: Promise<OutcomeMessage>; readonly resolve: (message: OutcomeMessage) => void };
}
