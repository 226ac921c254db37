import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegularFile } from './open-regular-file.ts';
import { readRedactedBlock } from './redacted-block.ts';
import type { Secrets } from './secrets.ts';

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly cap: number;
}

/**
 * Copies a JSONL file of the harness into the evidence, redacted and capped at a line end. `collect.ts` decides which
 * files; `open-regular-file.ts` opens no link and no pipe.
 * @returns whether there was one.
 */
export async function collectRows(copy: Copy, secrets: Secrets, onNote: (note: string) => void): Promise<boolean> {
  const source = await openRegularFile(copy.from);
  if (!source) return false;
  const target = await open(copy.to, 'w');
  try {
    let written = 0;
    let offset = 0;
    for (;;) {
      const block = await readRedactedBlock(source, offset, true, secrets);
      if (!block || block.bytes.length === 0) break;
      const room = fit(block.bytes, copy.cap - written);
      await target.appendFile(room);
      written += room.length;
      if (room.length < block.bytes.length) {
        onNote(`${copy.name}: the cap of ${copy.cap} bytes was reached; later rows are not kept.`);
        break;
      }
      offset = block.next;
    }
  } finally {
    await source.close();
    await target.close();
  }
  return true;
}

function fit(bytes: Buffer, room: number): Buffer {
  if (bytes.length <= room) return bytes;
  return bytes.subarray(0, bytes.subarray(0, room).lastIndexOf(0x0a) + 1);
}

/** The names that a harness's log may have; the name becomes part of an object key. */
const LOG_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.log$/;

/** Names of the log files in a folder, sorted; files with other names are ignored. */
export async function logNames(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => LOG_NAME.test(name)).sort();
}

/**
 * Copies a log, redacted. Of a log that is too long, the beginning and the end are kept: the first shows why something
 * did not start, the second why it stopped.
 * @returns the text, or null when there was no log.
 */
export async function collectLog(copy: Copy, secrets: Secrets): Promise<string | null> {
  const source = await openRegularFile(copy.from);
  if (!source) return null;
  try {
    const { size } = await source.stat();
    const raw = size <= copy.cap ? await slice(source, 0, size) : await bothEnds(source, size, copy.cap);
    const text = secrets.redact(raw);
    await mkdir(join(copy.to, '..'), { recursive: true });
    const target = await open(copy.to, 'w');
    await target.writeFile(text).finally(() => target.close());
    return text;
  } finally {
    await source.close();
  }
}

/** Cuts at line ends, so that no half of a secret remains at a cut. */
async function bothEnds(source: FileHandle, size: number, cap: number): Promise<string> {
  const half = Math.floor(cap / 2);
  const head = await slice(source, 0, half);
  const tail = await slice(source, size - half, half);
  const headEnd = head.lastIndexOf('\n') + 1;
  const tailStart = tail.indexOf('\n') + 1;
  const left = size - half * 2;
  return `${head.slice(0, headEnd)}[… about ${left} bytes left out …]\n${tailStart === 0 ? '' : tail.slice(tailStart)}`;
}

async function slice(source: FileHandle, from: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await source.read(buffer, 0, length, from);
  return buffer.toString('utf8', 0, bytesRead);
}
