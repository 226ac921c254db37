import type { FileHandle } from 'node:fs/promises';
import type { Secrets } from './secrets.ts';

export interface Block {
  /** Redacted UTF-8; invalid bytes become U+FFFD. */
  readonly bytes: Buffer;
  /** Offset in the source file after this block. */
  readonly next: number;
}

/** One block is at most this large: bounded memory for a transcript of any size. */
export const BLOCK_BYTES = 1024 * 1024;

/**
 * Reads whole lines from `offset` and redacts them. A secret must not escape because a read ended in its middle, so blocks
 * are cut at line ends; a line longer than a block (a screenshot as base64) is cut where no secret is.
 * @param final whether the file is closed: an unfinished last line is read too.
 * @returns null when there is nothing to read yet.
 */
export async function readRedactedBlock(
  file: FileHandle,
  offset: number,
  final: boolean,
  secrets: Secrets,
): Promise<Block | null> {
  const block = await readBlock(file, offset);
  const cut = cutAt(block, final && block.length < BLOCK_BYTES, secrets);
  if (cut === 0) return null;
  const text = secrets.redact(block.toString('utf8', 0, cut));
  return { bytes: Buffer.from(text), next: offset + cut };
}

/** Reads up to {@link BLOCK_BYTES} from `offset`. The buffer is no larger than what is left, since most rounds read little. */
export async function readBlock(file: FileHandle, offset: number): Promise<Buffer> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(BLOCK_BYTES, size - offset)));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function cutAt(bytes: Buffer, readAll: boolean, secrets: Secrets): number {
  if (readAll) return bytes.length;
  const lineEnd = bytes.lastIndexOf(0x0a) + 1;
  if (lineEnd > 0 || bytes.length < BLOCK_BYTES) return lineEnd;
  // What follows the block is unknown, so the cut is at least a secret's length before its end.
  const step = Math.max(secrets.longest, 64);
  for (let cut = bytes.length - step; cut > bytes.length / 2; cut -= step) {
    const at = characterStart(bytes, cut);
    if (isClean(bytes, at, secrets)) return at;
  }
  return characterStart(bytes, bytes.length - step);
}

function isClean(bytes: Buffer, at: number, secrets: Secrets): boolean {
  const reach = secrets.longest + 4;
  const left = bytes.toString('utf8', characterStart(bytes, Math.max(0, at - reach)), at);
  const right = bytes.toString('utf8', at, characterStart(bytes, Math.min(bytes.length, at + reach)));
  return secrets.redact(left + right) === secrets.redact(left) + secrets.redact(right);
}

function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
