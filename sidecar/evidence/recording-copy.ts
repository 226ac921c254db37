import { createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openRegularFile } from './open-regular-file.ts';

/** The indexed file exists only when ffmpeg closed its file (images/browser/clawbench-browser). */
const BEST_FIRST = ['recording.indexed.mp4', 'recording.mp4'];

/**
 * Copies the recording as it is now into the evidence. A hung ffmpeg may continue to write, and a file that grows between
 * hashing and uploading would not match its manifest.
 */
export async function copyRecording(
  recordingDir: string,
  data: string,
  cap: number,
  onNote: (note: string) => void,
): Promise<void> {
  const source = await openBest(recordingDir);
  if (!source) return;
  try {
    const { size } = await source.stat();
    if (size === 0) return;
    if (size > cap) onNote(`recording.mp4: the cap of ${cap} bytes was reached; the rest is not kept.`);
    const bytes = source.createReadStream({ start: 0, end: Math.min(size, cap) - 1, autoClose: false });
    await pipeline(bytes, createWriteStream(join(data, 'recording.mp4')));
  } finally {
    await source.close();
  }
}

async function openBest(recordingDir: string): Promise<FileHandle | null> {
  for (const name of BEST_FIRST) {
    const file = await openRegularFile(join(recordingDir, name));
    if (file) return file;
  }
  return null;
}

/** When the recording's first frame was taken, milliseconds since the epoch; null when the start script did not write it. */
export async function recordingStart(recordingDir: string): Promise<number | null> {
  const file = await openRegularFile(join(recordingDir, 'recording.started'));
  if (!file) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
    const text = buffer.toString('latin1', 0, bytesRead).trim();
    return /^\d{13}$/.test(text) ? Number(text) : null;
  } finally {
    await file.close();
  }
}
