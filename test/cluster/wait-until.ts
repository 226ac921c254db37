import { setTimeout as sleep } from 'node:timers/promises';
import { ComponentDied, isAlive, logEnd, type Recorded } from './host-process.ts';
import { elapsed } from './progress.ts';

/** A wait that reached its limit. */
export class WaitedTooLong extends Error {
  constructor(what: string, limitMs: number, detail: string) {
    super(`waited ${elapsed(limitMs)} for ${what}${detail}`);
    this.name = 'WaitedTooLong';
  }
}

export interface Wait {
  what: string;
  limitMs: number;
  /** Processes that must live meanwhile, by name: one that died fails the wait at once with the end of its log. */
  watched?: Record<string, Recorded>;
  /** Ends the wait by throwing the signal's reason. */
  signal?: AbortSignal;
}

const EVERY_MS = 100;

function failIfDead(watched: Record<string, Recorded>): void {
  for (const [name, recorded] of Object.entries(watched)) {
    if (!isAlive(recorded)) throw new ComponentDied(name, recorded.log);
  }
}

/**
 * Waits until `check` is true; a throw of `check` means "not yet".
 * @throws {ComponentDied} when a watched process ends
 * @throws {WaitedTooLong} at the limit, with the last error and the end of the watched logs
 */
export async function waitUntil(wait: Wait, check: () => Promise<boolean>): Promise<void> {
  const watched = wait.watched ?? {};
  const limit = Date.now() + wait.limitMs;
  let last = '';
  for (;;) {
    wait.signal?.throwIfAborted();
    failIfDead(watched);
    try {
      if (await check()) return;
    } catch (error) {
      last = `\nlast error: ${(error as Error).message}`;
    }
    if (Date.now() >= limit) {
      const logs = Object.entries(watched).map(([name, { log }]) => `\nthe end of ${name}'s log:\n${logEnd(log)}`);
      throw new WaitedTooLong(wait.what, wait.limitMs, last + logs.join(''));
    }
    await sleep(EVERY_MS);
  }
}
