import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from './open-regular-file.ts';
import { BLOCK_BYTES, type Block, readBlock, readRedactedBlock } from './redacted-block.ts';
import type { Secrets } from './secrets.ts';

/** A growing file, read from where the last upload ended. The backlog of an outage is the file itself: no memory. */
export interface LiveSource {
  /** Name in the bundle: `actions.jsonl`. */
  readonly name: string;
  /** What was not uploaded yet, at most one block; null when there is nothing. */
  next(): Promise<Piece | null>;
}

export interface Piece {
  readonly bytes: Buffer;
  /** The file was replaced or cut: what was uploaded before is of another content. */
  readonly restarted: boolean;
  /** Called when the piece is in the store: the next one follows it. */
  taken(): void;
}

type Take = (file: FileHandle, offset: number) => Promise<Block | null>;

interface TailOptions {
  readonly name: string;
  readonly path: string;
  /** Nothing is taken from beyond this many bytes. */
  readonly cap: number;
}

/** Rows that are still to be redacted: the harness's transcript. */
export function transcriptSource(options: TailOptions, secrets: Secrets): LiveSource {
  return tail(options, (file, offset) => readRedactedBlock(file, offset, false, secrets));
}

/** Our own rows: redacted when they were written, taken at line ends. */
export function rowSource(options: TailOptions): LiveSource {
  return tail(options, async (file, offset) => {
    const block = await readBlock(file, offset);
    const end = block.lastIndexOf(0x0a) + 1;
    const cut = end === 0 && block.length === BLOCK_BYTES ? block.length : end;
    return cut === 0 ? null : { bytes: block.subarray(0, cut), next: offset + cut };
  });
}

/** Bytes as they come: the recording, whose fragments play up to wherever it ends. */
export function byteSource(options: TailOptions): LiveSource {
  return tail(options, async (file, offset) => {
    const block = await readBlock(file, offset);
    return block.length === 0 ? null : { bytes: block, next: offset + block.length };
  });
}

/** What was taken so far: a file that no longer begins with it was written anew. */
interface Taken {
  readonly offset: number;
  readonly inode: number;
  /** The last bytes before `offset`, as they stood in the file. */
  readonly ending: Buffer;
}

/**
 * Bytes that have to be as they were. Some harnesses write their whole transcript anew after each step, in place: same
 * inode, never shorter when we look.
 */
const ENDING_BYTES = 512;

function tail(options: TailOptions, take: Take): LiveSource {
  let before: Taken | null = null;
  return {
    name: options.name,
    next: async () => {
      const file = await openRegularFile(options.path);
      if (!file) return null;
      try {
        const restarted = before !== null && !(await continues(file, before));
        const from = restarted || before === null ? 0 : before.offset;
        if (from >= options.cap) return null;
        const block = await take(file, from);
        if (!block) return null;
        const now = { offset: block.next, inode: (await file.stat()).ino, ending: await endingAt(file, block.next) };
        return { bytes: block.bytes, restarted, taken: () => void (before = now) };
      } finally {
        await file.close();
      }
    },
  };
}

async function continues(file: FileHandle, before: Taken): Promise<boolean> {
  const { ino, size } = await file.stat();
  if (ino !== before.inode || size < before.offset) return false;
  return before.ending.equals(await endingAt(file, before.offset));
}

async function endingAt(file: FileHandle, offset: number): Promise<Buffer> {
  const length = Math.min(ENDING_BYTES, offset);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset - length);
  return buffer.subarray(0, bytesRead);
}
