import { writeFileSync } from 'node:fs';

/** Where kubelet reads a container's termination message; `CLAWBENCH_TERMINATION_LOG` moves it in tests. */
const PATH = process.env['CLAWBENCH_TERMINATION_LOG'] ?? '/dev/termination-log';

/** A single message may have 4 KiB; longer ones are cut by kubelet in the middle of the JSON. */
const LIMIT = 4096;

/** Leaves the Job's result for the operator; its `message` is shortened until the whole fits. */
export function writeTermination(content: Readonly<Record<string, unknown>>): void {
  let text = JSON.stringify(content);
  const { message } = content;
  if (Buffer.byteLength(text) > LIMIT && typeof message === 'string') {
    text = JSON.stringify({ ...content, message: `${message.slice(0, 500)}…` });
  }
  writeFileSync(PATH, text);
}
