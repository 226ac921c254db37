import pLimit from 'p-limit';
import { request } from 'undici';
import { z } from 'zod';
import { PORTS } from '../../benchmark/protocol/pod-paths.ts';
import { reportedUsage } from '../../benchmark/protocol/reported-usage.ts';
import type { Usage } from '../../crds/status/shared.ts';
import { podsDueForUsageWrite } from './usage-write-budget.ts';

/** What the poll keeps of a recorder's `/progress` response. */
const answer = reportedUsage.extend({
  phase: z.string(),
  /** Null: the recorder has not read the task yet (it reports 0). */
  timeLimitSeconds: z
    .number()
    .transform((seconds) => (seconds > 0 ? seconds : null))
    .nullable()
    .default(null),
});
export type ProgressAnswer = z.infer<typeof answer>;

/** A pod to ask. */
export interface ProgressTarget {
  readonly podUID: string;
  readonly ip: string;
}

export interface ProgressTable {
  /** The last response of a pod; undefined when there was none. */
  of(podUID: string): ProgressAnswer | undefined;
  /** Usage that the run's status may show now: not every response is worth a write. Undefined: nothing yet. */
  publishedUsage(podUID: string): Usage | undefined;
  /** Null: the recorder has not started to finalise, as far as it reported. */
  finalising(podUID: string): Finalising | null;
}

/** The recorder is finalising: the agent is done, or will never start. */
export interface Finalising {
  /** The outcome is decided, and everything that could be stored is stored. */
  readonly done: boolean;
  /** When the operator first saw this, milliseconds since the epoch. */
  readonly since: number;
}

/** `usage` of a run from its pod's last response. */
export function usageFromProgress(progress: ProgressAnswer): Usage {
  return { costUSD: progress.costUSD, tokens: progress.tokens, apiCalls: progress.apiCalls };
}

const FINALISING_PHASES = ['Stopping', 'Finalising', 'Done'];

/** The finalising state after this response, given the state before. */
export function finalisingOf(
  { phase }: Pick<ProgressAnswer, 'phase'>,
  before: Finalising | null,
  now: number,
): Finalising | null {
  if (!FINALISING_PHASES.includes(phase)) return null;
  const done = phase === 'Done';
  return before?.done === done ? before : { done, since: now };
}

interface Row {
  readonly answer: ProgressAnswer;
  readonly finalising: Finalising | null;
  readonly published: Usage | null;
  readonly publishedAt: number;
}

const TIMEOUT_MS = 1000;
const MAX_CONCURRENT_CALLS = 50;
const PERIOD_MS = 10_000;

export interface ProgressPoller extends ProgressTable {
  /** One round of the poll; public for tests. */
  poll(): Promise<void>;
  stop(): void;
}

/**
 * Asks the running pods every 10 s, outside any reconcile, with a limit on the time per call and on concurrent calls: a
 * pod that does not respond costs nothing but its row.
 * @param changed called with the pod's UID when the recorder starts finalising, when it has finished, and when there is
 * usage to write.
 */
export function startProgressPoller(
  targets: () => readonly ProgressTarget[],
  changed: (podUID: string) => void,
  options: { readonly periodMs?: number; readonly port?: number; readonly now?: () => number } = {},
): ProgressPoller {
  const table = new Map<string, Row>();
  const finalising = (uid: string): Finalising | null => table.get(uid)?.finalising ?? null;
  const limit = pLimit(MAX_CONCURRENT_CALLS);
  const { port = PORTS.progress, now: clock = Date.now } = options;

  const ask = async ({ podUID, ip }: ProgressTarget): Promise<void> => {
    const found = await askProgress(ip, port);
    if (found === null) return;
    const before = finalising(podUID);
    const after = finalisingOf(found, before, clock());
    const { published = null, publishedAt = 0 } = table.get(podUID) ?? {};
    table.set(podUID, { answer: found, finalising: after, published, publishedAt });
    if (after !== null && after !== before) changed(podUID);
  };
  const poll = async (): Promise<void> => {
    const now = targets();
    const alive = new Set(now.map((target) => target.podUID));
    for (const uid of table.keys()) if (!alive.has(uid)) table.delete(uid);
    await Promise.all(now.map((target) => limit(() => ask(target))));
    publish();
  };
  const publish = (): void => {
    const rows = [...table].map(([podUID, { answer: last, ...row }]) => ({
      ...row,
      podUID,
      spent: usageFromProgress(last),
    }));
    for (const podUID of podsDueForUsageWrite(rows)) {
      const row = table.get(podUID);
      if (row === undefined) continue;
      table.set(podUID, { ...row, published: usageFromProgress(row.answer), publishedAt: clock() });
      changed(podUID);
    }
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
  return {
    of: (uid) => table.get(uid)?.answer,
    publishedUsage: (uid) => table.get(uid)?.published ?? undefined,
    finalising,
    poll,
    stop: () => clearInterval(timer),
  };
}

/** A response has a few hundred bytes. An endless one comes from a Pod that runs somebody else's agent. */
const MAX_ANSWER_BYTES = 64 * 1024;

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function askProgress(ip: string, port: number): Promise<ProgressAnswer | null> {
  try {
    const host = ip.includes(':') ? `[${ip}]` : ip;
    const reply = await request(`http://${host}:${String(port)}/progress`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (reply.statusCode !== 200) {
      await reply.body.dump();
      return null;
    }
    const parsed = answer.safeParse(JSON.parse(await textOf(reply.body)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // The next round asks again; a run's fate never depends on the response.
  }
}
