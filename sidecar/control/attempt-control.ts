import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';

/**
 * What the control API may do with the attempt. Implemented by `lifecycle/attempt-control.ts`, and for a restarted
 * recorder by `lifecycle/restarted-recorder.ts`.
 */
export interface AttemptControl {
  armed(): ArmedState;
  /** The agent was executed just now. False: not armed, or over already. */
  agentStarted(): boolean;
  /** Resolves when the agent must stop, or with null when `signal` is aborted first. */
  waitForStop(signal: AbortSignal): Promise<AgentStop | null>;
  agentExited(exit: AgentExit): void;
  /** Stops the attempt if it is still running, and waits until the evidence is safe. */
  finalise(): Promise<OutcomeMessage>;
  /** Something in the Pod asked for a stop. Never a success by itself. */
  stopRequested(): void;
  counts(): { readonly actions: number; readonly screenshots: number; readonly requests: number };
  /** Stops the recording if the attempt was stopped; before that, an agent cannot switch the camera off. */
  stopRecording(): Promise<string>;
  recordingBytes(): number;
  action(row: Readonly<Record<string, unknown>>): void;
  screenshot(timestamp: number, png: Uint8Array): void;
  metrics(): Promise<string>;
}

/** How the agent exited, as the shim saw it. */
export interface AgentExit {
  readonly exitCode: number;
  /** The agent was never executed, for this reason. */
  readonly startError?: string | undefined;
  /** The shim received SIGTERM: the Pod is terminating. */
  readonly terminated?: boolean | undefined;
}

export interface ArmedState {
  readonly armed: boolean;
  /** The attempt is over, so waiting for it to be armed is pointless. */
  readonly ended: boolean;
  readonly reason: string;
}

export interface AgentStop {
  readonly reason: string;
  readonly killSeconds: number;
}
