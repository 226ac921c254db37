import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_FILES } from '../../../benchmark/protocol/pod-paths.ts';

/** The start script allows ffmpeg 10 s after INT and 3 s after TERM; after that it has killed it. */
const LONGEST_WAIT_MS = 15_000;

/** The browser container's video of this attempt. */
export interface VideoRecording {
  /**
   * Stops it, once: `POST /api/stop-recording` may come before finalising.
   * @returns upstream's word (`stopped|terminated|killed|disabled`), or `unknown` when the container does not answer.
   */
  stop(signal: AbortSignal): Promise<string>;
  /** What `stop` returned; null before. */
  readonly status: string | null;
  /** Size of the video so far; 0 when there is none. */
  readonly bytes: number;
}

export interface RecordingOptions {
  readonly dirs: { readonly run: string; readonly recording: string };
  /** Whether there is anything to stop: the run asks for a video, and a browser was started. */
  readonly isRecorded: () => boolean;
}

export function openRecording({ dirs, isRecorded }: RecordingOptions): VideoRecording {
  let status: string | null = null;
  return {
    stop: async (signal) => {
      status ??= isRecorded() ? await stopFfmpeg(dirs.run, signal) : 'disabled';
      return status;
    },
    get status() {
      return status;
    },
    get bytes() {
      return statSync(join(dirs.recording, 'recording.mp4'), { throwIfNoEntry: false })?.size ?? 0;
    },
  };
}

/** Asks the browser container to stop ffmpeg and waits until its file is closed. */
async function stopFfmpeg(runDir: string, signal: AbortSignal): Promise<string> {
  writeFileSync(join(runDir, RUN_FILES.recordingStop), '');
  const answer = join(runDir, RUN_FILES.recordingStopped);
  const deadline = Date.now() + LONGEST_WAIT_MS;
  while (!existsSync(answer)) {
    if (signal.aborted || Date.now() > deadline) return 'unknown';
    await sleep(50);
  }
  return readFileSync(answer, 'utf8').trim();
}
