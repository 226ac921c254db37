import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface EndpointStats {
  readonly calls: number;
  /** Milliseconds on the endpoint's own clock. */
  readonly firstCall: number;
  readonly lastReply: number;
  readonly mostAtOnce: number;
}

/** See {@link ./judge-endpoint.ts}. */
export interface JudgeEndpoint {
  readonly base: string;
  stats(): Promise<EndpointStats>;
  reset(): Promise<void>;
  fail(status: number): Promise<void>;
  close(): void;
}

/** Starts the scripted judge. */
export async function openJudgeEndpoint(latencyMs: number): Promise<JudgeEndpoint> {
  const script = join(import.meta.dirname, 'judge-endpoint.ts');
  const child = spawn(process.execPath, [script, String(latencyMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const origin = `http://127.0.0.1:${port}`;
  return {
    base: `${origin}/v1`,
    stats: async () => (await (await fetch(`${origin}/stats`)).json()) as EndpointStats,
    reset: async () => void (await fetch(`${origin}/reset`)),
    fail: async (status) => void (await fetch(`${origin}/status/${String(status)}`)),
    close: () => child.kill(),
  };
}
