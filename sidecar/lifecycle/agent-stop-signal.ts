import type { AgentStop } from '../control/attempt-control.ts';

/** The recorder's request to the shim to stop the agent: sent once, received by all that wait before or after. */
export interface AgentStopSignal {
  send(stop: AgentStop): void;
  /** Null when `signal` is aborted first (the long poll is over, or the caller has gone). */
  wait(signal: AbortSignal): Promise<AgentStop | null>;
}

export function createAgentStopSignal(): AgentStopSignal {
  let sent: AgentStop | null = null;
  const waiting = new Set<(stop: AgentStop | null) => void>();
  return {
    send: (stop) => {
      sent ??= stop;
      for (const answer of waiting) answer(sent);
    },
    wait: (signal) => {
      if (sent !== null || signal.aborted) return Promise.resolve(sent);
      return new Promise((resolve) => {
        const answer = (stop: AgentStop | null): void => {
          waiting.delete(answer);
          resolve(stop);
        };
        waiting.add(answer);
        signal.addEventListener(
          'abort',
          () => {
            answer(null);
          },
          { once: true },
        );
      });
    },
  };
}
