import type { Logger } from 'pino';
import type { Reason } from '../benchmark/outcome/outcome.ts';
import type { RunConfig } from '../benchmark/protocol/run-config.ts';

/**
 * The interfaces between the parts of the recorder: interception (guard, egress gateway, DevTools proxy), evidence (files,
 * uploads), capture (actions, screenshots, focus), and the lifecycle that joins them. Each part is built and tested
 * against these types alone.
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
  /** The body; undefined when the request has none. `bodyStatus` says whether it is complete. */
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
      /** Why it was blocked although it is not the agent's terminal request. */
      readonly reason: 'passive' | 'socket' | 'local' | 'file' | 'after-match' | 'frozen';
      readonly url: string;
      readonly method: string;
    }
  /** Interception ended (pipe or CDP lost, browser exited). Everything is closed already when this is reported. */
  | { readonly type: 'lost'; readonly reason: Reason; readonly message: string }
  /** A request to the target left the browser without a pause. The gateway refused it, and the run proves nothing. */
  | { readonly type: 'escape'; readonly url: string };

export interface InterceptionOptions {
  /** Directory of the sockets (benchmark/protocol/pod-paths.ts). */
  readonly runDir: string;
  /** 0: any free port. */
  readonly devToolsPort: number;
  /** Local sessions: the gateway also listens on this loopback TCP port (0: any free port; undefined: none). */
  readonly proxyPort?: number;
  /** The program that accepts the browser's listening socket (images/listener). */
  readonly listenerProgram: string;
  /** The control API's port, of which the browser reaches only the answer page (`/submit`, `/api/task-submit`). */
  readonly controlPort: number;
  /** The task's `eval_schema`, as read. */
  readonly evalSchema: unknown;
  readonly network: RunConfig['network'];
  readonly isolation: RunConfig['browser']['isolation'];
  readonly log: Logger;
  /** Called synchronously, in order, while a request is held: must return at once. */
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
  /** Ports, known once started. */
  readonly devToolsPort: number;
  readonly proxyPort: number | null;
  /**
   * Waits for the browser's pipe, enables browser-level Fetch, checks that the self-test request is blocked, then opens
   * the egress gateway and the DevTools proxy. Only then may an agent start.
   * @throws InterceptionError
   */
  arm(signal: AbortSignal): Promise<{ readonly browserVersion: string; readonly browserPid: number | null }>;
  readonly armed: boolean;
  /** `ws+unix:` URL of the browser-level DevTools endpoint, for capture only. Valid once armed. */
  evidenceEndpoint(): string;
  /** Cuts the egress gateway, fails every further paused request and makes the DevTools proxy refuse commands. Idempotent, immediate. */
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
  /** Appends one row to `actions.jsonl`. Never throws; a cap that is reached becomes a note. */
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
  /** A value that must never leave the recorder (key, password): redacted from everything written after the call, in every spelling of `secret-pattern.ts`. */
  addSecret(value: string): void;
  /** The text without the secrets known so far, for text that leaves the recorder outside the files. */
  redact(text: string): string;
  /**
   * Collects the harness's transcript and logs and the recording, uploads all of `data/`, then the manifest, then deletes
   * `live/`, then writes `attempt-meta.json`. May be called again after a failure, and then continues.
   */
  finalise(input: FinaliseInput): Promise<FinaliseResult>;
  /** The last resort on SIGTERM with 2 s left: uploads the rest as live chunks. */
  flush(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface FinaliseInput {
  /** `attempt-meta.json`: upstream's run-meta fields. Called after the files are closed, so counts and usage are final. */
  readonly meta: (facts: EvidenceFacts) => Record<string, unknown>;
  /** More fields of the manifest: image digests, browser version. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}
/** What the closed files contain; input of benchmark/outcome/upstream-category.ts. */
export interface EvidenceFacts {
  readonly actions: number;
  readonly requests: number;
  readonly messages: number;
  readonly screenshots: number;
  readonly recordingBytes: number;
  /** Time of the first frame, milliseconds since the epoch: aligns the video with everything else. */
  readonly recordingStartedAt: number | null;
  readonly apiCalls: number;
  readonly missingFiles: readonly string[];
  readonly apiOrCreditEvidence: string | null;
  /** Upstream's usage summary object. */
  readonly usage: Readonly<Record<string, unknown>>;
  /** Caps that were reached and the like, one sentence each. */
  readonly notes: readonly string[];
}
export interface FinaliseResult {
  readonly evidence: 'Complete' | 'Partial' | 'None';
  readonly manifestSha256: string | null;
  readonly facts: EvidenceFacts;
  /** Why it is not `Complete`, one sentence. */
  readonly problem?: string;
}

/** Actions, screenshots and tab focus through a CDP session of its own; implemented in `sidecar/capture/start.ts`. */
export interface CaptureOptions {
  readonly endpoint: string;
  readonly evidence: EvidenceWriter;
  /** Called for each new action row, for the idle clock. */
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
