import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPlainFile } from './plain-file.ts';

/**
 * Takes the recording as it is now into the evidence: ffmpeg may be hung and go on writing, and a file that grows
 * between hashing and uploading would break its manifest.
 */
export async function copyRecording(
  recordingDir: string,
  data: string,
  cap: number,
  onNote: (note: string) => void,
): Promise<void> {
  const source = await openPlainFile(join(recordingDir, 'recording.mp4'));
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
