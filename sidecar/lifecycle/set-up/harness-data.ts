import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readStopReason } from '../../../benchmark/outcome/stop-reason.ts';

/**
 * The recorder's files in the harness's `/data`. Upstream's harness scripts watch two of them: the size of
 * `actions.jsonl` (is anything happening?) and `.stop-requested`. The folder belongs to the agent, so nothing here follows
 * a link or opens what is not a regular file: otherwise a link could lead a write into the evidence.
 */
export interface HarnessData {
  /** Appends a placeholder line for one more action row, never the row itself. */
  actionSeen(): void;
  stopRequested(): void;
  /** The word in `.stop-reason`, or `unknown`. */
  stopReason(): string;
  close(): void;
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export function openHarnessData(dir: string): HarnessData {
  // Opened before any agent exists and kept open: what the agent does to the name later does not matter.
  const actions = openSync(join(dir, 'actions.jsonl'), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o666);
  return {
    actionSeen: () => {
      quietly(() => writeSync(actions, '{}\n'));
    },
    stopRequested: () => {
      quietly(() => {
        closeSync(openSync(join(dir, '.stop-requested'), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o666));
      });
    },
    stopReason: () => readStopReason(readSmallFile(join(dir, '.stop-reason'))),
    close: () => {
      quietly(() => {
        closeSync(actions);
      });
    },
  };
}

/** If the harness filled its disk or removed its folder, that is its own loss, not the attempt's. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // See above.
  }
}

function readSmallFile(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    if (!fstatSync(fd).isFile()) return null;
    const buffer = Buffer.alloc(64);
    return buffer.toString('latin1', 0, readSync(fd, buffer, 0, 64, 0));
  } finally {
    closeSync(fd);
  }
}
