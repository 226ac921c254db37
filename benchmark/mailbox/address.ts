import { sha256Hex } from '../text/sha256.ts';

/**
 * Local part of a run's mailbox: `cb` and twelve hex digits like upstream's, but derived from run and attempt, so that the
 * sweep Job knows every address that a dead Pod may have left behind.
 * @param runUID the run object's UID: no other run's mailbox can have the same name.
 */
export function mailboxName(runUID: string, attempt: number): string {
  return `cb${sha256Hex(JSON.stringify(['mailbox', runUID, attempt])).slice(0, 12)}`;
}

/** Every address of a run up to an attempt, for the sweep Job. */
export function mailboxAddresses(runUID: string, attempts: number, domain: string): readonly string[] {
  return Array.from({ length: attempts }, (_, index) => `${mailboxName(runUID, index + 1)}@${domain}`);
}
