import type { Logger } from 'pino';
import type { Reason } from '../benchmark/outcome/outcome.ts';
import type { RunConfig } from '../benchmark/protocol/run-config.ts';

/**
 * The seams inside the recorder: interception (guard, gateway, door), evidence (files, uploads), capture (actions,
 * screenshots, focus) and the lifecycle that joins them. Each side is built and tested against these types alone.
 */

/** A request as the guard saw it while it was paused. Times are milliseconds since the epoch. */
export interface ObservedRequest {
  readonly at: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** CDP's resource type (`Document`, `Fetch`, `Ping`, …). */
  readonly resourceType: string;
  /** Empty for workers without a frame. */
  readonly frameId: string;
  /** Body as bytes, undefined when the request has none; `bodyStatus` says what is missing. */
  readonly body?: Uint8Array;
  readonly bodyStatus: 'none' | 'complete' | 'partial' | 'truncated' | 'unavailable';
}

/** The terminal request, blocked. */
export interface InterceptedRequest extends ObservedRequest {
  readonly frameUrl: string;
  readonly initiator: string;
}

export type InterceptionEvent =
  | { readonly type: 'request'; readonly request: ObservedRequest }
  | { readonly type: 'intercepted'; readonly request: InterceptedRequest }
  | {
      readonly type: 'blocked';
      readonly at: number;
      /** Why it did not leave without counting as the agent's commit. */
      readonly reason: 'passive' | 'socket' | 'local' | 'file' | 'after-match' | 'frozen';
      readonly url: string;
      readonly method: string;
    }
  /** Interception ended (pipe or CDP lost, browser exited). Everything is closed already when this is told. */
  | { readonly type: 'lost'; readonly reason: Reason; readonly message: string }
  /** A request to the target came out of the browser without a pause; it was refused at the gateway, and the run proves nothing. */
  | { readonly type: 'escape'; readonly url: string };

export interface InterceptionOptions {
  /** Directory of the sockets (benchmark/protocol/pod-paths.ts). */
  readonly runDir: string;
  /** 0: any free port. */
  readonly doorPort: number;
  /** Local sessions: the gateway listens on this loopback TCP port too (0: any; undefined: not). */
  readonly proxyPort?: number;
  /** The program that takes the browser's listener (images/listener). */
  readonly listenerProgram: string;
  /** The control API's port: of it the browser reaches only the answer page (`/submit`, `/api/task-submit`). */
  readonly controlPort: number;
  /** The task's `eval_schema`, as read. */
  readonly evalSchema: unknown;
  readonly network: RunConfig['network'];
  readonly isolation: RunConfig['browser']['isolation'];
  readonly log: Logger;
  /** Called synchronously, in order; must return at once (nothing slow while a request is held). */
  readonly onEvent: (event: InterceptionEvent) => void;
}

/** Thrown by `arm`: the attempt ends as `Infrastructure` with this reason. */
export class InterceptionError extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.name = 'InterceptionError';
    this.reason = reason;
  }
}

export interface BrowserInterception {
  /** Listening ports, known once started. */
  readonly doorPort: number;
  readonly proxyPort: number | null;
  /**
   * Waits for the browser's pipe, acknowledges browser-level Fetch, sees the self-test request blocked, then opens the
   * gateway and the door. Only then may an agent start.
   * @throws InterceptionError
   */
  arm(signal: AbortSignal): Promise<{ readonly browserVersion: string; readonly browserPid: number | null }>;
  readonly armed: boolean;
  /** `ws+unix:` URL of the browser-level DevTools endpoint, for the evidence session only. Valid once armed. */
  evidenceEndpoint(): string;
  /** Cuts the gateway, fails every further pause and makes the door refuse commands. Idempotent, immediate. */
  freeze(): void;
  /** Bytes and hosts through the gateway so far. */
  traffic(): { readonly bytesOut: number; readonly bytesIn: number; readonly hosts: Readonly<Record<string, number>> };
  /** Asks the browser to close (its own `Browser.close` over the pipe), then closes every socket. */
  close(): Promise<void>;
}
/** Implemented in `sidecar/interception/start.ts`. */
export type StartInterception = (options: InterceptionOptions) => Promise<BrowserInterception>;

/** Files of the bundle's `data/` as the run writes them; implemented in `sidecar/evidence/open.ts`. */
export interface EvidenceWriter {
  /** Appends one row to `actions.jsonl`. Never throws into the caller; a cap reached is recorded. */
  action(row: Readonly<Record<string, unknown>>): void;
  /** Appends a row in upstream's form to `requests.jsonl`, redacted. */
  request(request: ObservedRequest): void;
  /** `screenshots/<timestamp>.png`; `timestamp` is an integer, checked. */
  screenshot(timestamp: number, png: Uint8Array): void;
  /** Writes `interception.json` once: a second call is ignored and answers false. */
  interception(content: Readonly<Record<string, unknown>>): boolean;
  readonly counts: {
    readonly actions: number;
    readonly requests: number;
    readonly screenshots: number;
    readonly bytes: number;
  };
  /** Values that must never leave (keys, passwords): redacted from everything written after the call, in every spelling of `secret-pattern.ts`. */
  addSecret(value: string): void;
  /** Text without the secrets known so far: for what leaves by another way than the files. */
  redact(text: string): string;
  /**
   * Collects the harness's transcript and logs and the recording, uploads whole `data/*`, then the manifest, then
   * removes `live/`, then writes `attempt-meta.json`. Resumable: may be called again after a failure.
   */
  finalise(input: FinaliseInput): Promise<FinaliseResult>;
  /** The last resort on SIGTERM with 2 s left: push what is not yet uploaded as live chunks. */
  flush(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface FinaliseInput {
  /** `attempt-meta.json`: upstream's run-meta fields. Called after the files are closed, so counts and usage are final. */
  readonly meta: (facts: EvidenceFacts) => Record<string, unknown>;
  /** Extra manifest fields: image digests, browser version. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}
/** What the closed files hold; input of the classifier (benchmark/outcome/upstream-category.ts). */
export interface EvidenceFacts {
  readonly actions: number;
  readonly requests: number;
  readonly messages: number;
  readonly screenshots: number;
  readonly recordingBytes: number;
  /** Of its first frame, milliseconds since the epoch: what aligns the video with everything else. */
  readonly recordingStartedAt: number | null;
  readonly apiCalls: number;
  readonly missingFiles: readonly string[];
  readonly apiOrCreditEvidence: string | null;
  /** Upstream's usage summary object. */
  readonly usage: Readonly<Record<string, unknown>>;
  /** Caps reached and similar, one sentence each. */
  readonly notes: readonly string[];
}
export interface FinaliseResult {
  readonly evidence: 'Complete' | 'Partial' | 'None';
  readonly manifestSha256: string | null;
  readonly facts: EvidenceFacts;
  /** Why it is not `Complete`, one sentence. */
  readonly problem?: string;
}

/** Actions, screenshots and tab focus through a CDP session of our own; implemented in `sidecar/capture/start.ts`. */
export interface CaptureOptions {
  readonly endpoint: string;
  readonly evidence: EvidenceWriter;
  /** Each new action row, for the idle clock. */
  readonly onAction: (at: number) => void;
  readonly log: Logger;
}
export interface Capture {
  /** Brings the tab that holds this frame to the front (a Document request was paused there). Never blocks. */
  focusFrame(frameId: string): void;
  /** URL of a frame as last seen; empty when unknown. */
  frameUrl(frameId: string): string;
  stop(): Promise<void>;
}
