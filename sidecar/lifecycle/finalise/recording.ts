import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_FILES } from '../../../benchmark/protocol/pod-paths.ts';

/** The start script's own ladder is 10 s for INT and 3 s for TERM; after that it has killed ffmpeg. */
const LONGEST_WAIT_MS = 15_000;

/**
 * Asks the browser container to stop ffmpeg and waits until its file is closed.
 * @returns upstream's word (`stopped|terminated|killed|disabled`), or `unknown` when the container does not answer.
 */
export async function stopRecording(runDir: string, signal: AbortSignal): Promise<string> {
  writeFileSync(join(runDir, RUN_FILES.recordingStop), '');
  const answer = join(runDir, RUN_FILES.recordingStopped);
  const until = Date.now() + LONGEST_WAIT_MS;
  while (!existsSync(answer)) {
    if (signal.aborted || Date.now() > until) return 'unknown';
    await sleep(50);
  }
  return readFileSync(answer, 'utf8').trim();
}
