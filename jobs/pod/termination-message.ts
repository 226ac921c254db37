import { writeFileSync } from 'node:fs';

/** Where kubelet reads a container's termination message; `CLAWBENCH_TERMINATION_LOG` moves it in tests. */
const PATH = process.env['CLAWBENCH_TERMINATION_LOG'] ?? '/dev/termination-log';

/** A message can have 4 KiB; the kubelet truncates longer ones in the middle of the JSON. */
const LIMIT = 4096;

/** Writes the Job's result for the operator; a result that is too long has its `message` shortened. */
export function writeTermination(content: Readonly<Record<string, unknown>>): void {
  let text = JSON.stringify(content);
  const { message } = content;
  if (Buffer.byteLength(text) > LIMIT && typeof message === 'string') {
    text = JSON.stringify({ ...content, message: `${message.slice(0, 500)}…` });
  }
  writeFileSync(PATH, text);
}
