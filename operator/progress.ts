import pLimit from 'p-limit';
import { request } from 'undici';
import { z } from 'zod';
import { PORTS } from '../benchmark/protocol/pod-paths.ts';
import type { Usage } from '../crds/status/shared.ts';

/** What the poll keeps of a recorder's `/progress`. */
const answer = z.object({
  phase: z.string(),
  tokens: z.number().int().min(0).default(0),
  costUSD: z.number().nullable().default(null),
  apiCalls: z.number().int().min(0).default(0),
  /** Null: the recorder has not read the task yet (it says 0). */
  timeLimitSeconds: z
    .number()
    .transform((seconds) => (seconds > 0 ? seconds : null))
    .nullable()
    .default(null),
});
export type ProgressAnswer = z.infer<typeof answer>;

/** Pods that can be asked now. */
export interface ProgressTarget {
  readonly podUID: string;
  readonly ip: string;
}

export interface ProgressTable {
  /** The last answer of a pod; undefined when it never gave one. */
  of(podUID: string): ProgressAnswer | undefined;
}

/** `usage` of a run from its pod's last answer. */
export function liveUsage(progress: ProgressAnswer): Usage {
  return { costUSD: progress.costUSD, tokens: progress.tokens, apiCalls: progress.apiCalls };
}

/** Phases of the recorder in which the agent is done and the evidence is being closed. */
const FINALISING = new Set(['Stopping', 'Finalising', 'Done']);

export function isFinalising(progress: ProgressAnswer | undefined): boolean {
  return progress !== undefined && FINALISING.has(progress.phase);
}

const TIMEOUT_MS = 1000;
const IN_FLIGHT = 50;
const PERIOD_MS = 10_000;

export interface ProgressPoller extends ProgressTable {
  /** One round; exposed for tests. */
  poll(): Promise<void>;
  stop(): void;
}

/**
 * Asks the running pods every 10 s, outside any reconcile, with a limit per call and on calls at a time: a pod that
 * does not answer costs nothing but its row (decisions.md, live progress).
 * @param changed called with the pod's UID when the recorder began to close the evidence.
 */
export function startProgressPoller(
  targets: () => readonly ProgressTarget[],
  changed: (podUID: string) => void,
  options: { readonly periodMs?: number; readonly port?: number } = {},
): ProgressPoller {
  const table = new Map<string, ProgressAnswer>();
  const limit = pLimit(IN_FLIGHT);
  const port = options.port ?? PORTS.progress;

  const ask = async ({ podUID, ip }: ProgressTarget): Promise<void> => {
    const found = await askProgress(ip, port);
    if (found === null) return;
    const before = table.get(podUID);
    table.set(podUID, found);
    if (isFinalising(found) && !isFinalising(before)) changed(podUID);
  };
  const poll = async (): Promise<void> => {
    const now = targets();
    const alive = new Set(now.map((target) => target.podUID));
    for (const uid of table.keys()) if (!alive.has(uid)) table.delete(uid);
    await Promise.all(now.map((target) => limit(() => ask(target))));
  };

  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    void poll().finally(() => {
      running = false;
    });
  }, options.periodMs ?? PERIOD_MS);
  timer.unref();
  return { of: (uid) => table.get(uid), poll, stop: () => clearInterval(timer) };
}

async function askProgress(ip: string, port: number): Promise<ProgressAnswer | null> {
  try {
    const host = ip.includes(':') ? `[${ip}]` : ip;
    const reply = await request(`http://${host}:${String(port)}/progress`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (reply.statusCode !== 200) {
      await reply.body.dump();
      return null;
    }
    const parsed = answer.safeParse(await reply.body.json());
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // It will be asked again; the run's fate never depends on it.
  }
}
