import { writeFileSync } from 'node:fs';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';

/** kubelet cuts each message to 12 KiB divided by the number of containers; protocol: at most 2 KiB. */
const MAX_BYTES = 2048;

/** The message as it is written: whole JSON within 2 KiB, the sentence shortened first. */
export function serialiseOutcome(message: OutcomeMessage): string {
  const text = JSON.stringify(message);
  const excess = Buffer.byteLength(text) - MAX_BYTES;
  if (excess <= 0) return text;
  return JSON.stringify({
    ...message,
    message: message.message.slice(0, Math.max(0, message.message.length - excess)),
  });
}

/** Writes the recorder's own copy of the outcome. Never throws: on this path there is nobody left to tell. */
export function writeTerminationMessage(path: string, message: OutcomeMessage): boolean {
  try {
    writeFileSync(path, serialiseOutcome(message));
    return true;
  } catch {
    return false;
  }
}
