import { writeFileSync } from 'node:fs';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';

/** Kubelet cuts each termination message to 12 KiB divided by the number of containers; docs/protocol.md allows 2 KiB. */
const MAX_BYTES = 2048;

/** The outcome as valid JSON of at most 2 KiB. If it is too long, its message is shortened. */
export function serialiseOutcome(message: OutcomeMessage): string {
  const text = JSON.stringify(message);
  const excess = Buffer.byteLength(text) - MAX_BYTES;
  if (excess <= 0) return text;
  return JSON.stringify({
    ...message,
    message: message.message.slice(0, Math.max(0, message.message.length - excess)),
  });
}

/** Writes the recorder's own copy of the outcome. Never throws, since at this point nothing could report the failure. */
export function writeTerminationMessage(path: string, message: OutcomeMessage): boolean {
  try {
    writeFileSync(path, serialiseOutcome(message));
    return true;
  } catch {
    return false;
  }
}
