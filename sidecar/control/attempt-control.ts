import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';

/** What the control API may ask of the attempt. Implemented by `lifecycle/attempt.ts`; tests give a scripted one. */
export interface ControlSurface {
  armed(): ArmedState;
  /** The agent was executed just now. False: not armed, or over already. */
  agentStarted(): boolean;
  /** Resolves when the agent must end, or with null when `signal` is aborted first. */
  untilStop(signal: AbortSignal): Promise<StopOrder | null>;
  agentExited(end: AgentEnd): void;
  /** Ends the attempt if it is still going, and waits until the evidence is safe. */
  finalise(): Promise<OutcomeMessage>;
  /** Somebody in the Pod asked for the end. Never a success by itself. */
  stopAsked(): void;
  counts(): { readonly actions: number; readonly screenshots: number; readonly requests: number };
  /** Stops the recording if the attempt has ended; an agent cannot switch the camera off before. */
  stopRecording(): Promise<string>;
  recordingBytes(): number;
  action(row: Readonly<Record<string, unknown>>): void;
  screenshot(timestamp: number, png: Uint8Array): void;
  metrics(): Promise<string>;
}

/** How the agent ended, as the shim saw it. */
export interface AgentEnd {
  readonly exitCode: number;
  /** There never was an agent, because of this. */
  readonly startError?: string | undefined;
  /** The shim was told to end by TERM: the Pod is being ended from outside. */
  readonly terminated?: boolean | undefined;
}

export interface ArmedState {
  readonly armed: boolean;
  /** The attempt is over: nobody needs to wait for arming any more. */
  readonly ended: boolean;
  readonly reason: string;
}

export interface StopOrder {
  readonly reason: string;
  readonly killSeconds: number;
}
