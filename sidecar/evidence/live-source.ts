import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from './open-regular-file.ts';
import { BLOCK_BYTES, type Block, readBlock, readRedactedBlock } from './redacted-block.ts';
import type { Secrets } from './secrets.ts';

/** A growing file, read from where the last upload ended. During an outage the backlog is the file itself, not memory. */
export interface LiveSource {
  /** Name in the bundle: `actions.jsonl`. */
  readonly name: string;
  /** What was not uploaded yet, at most one block; null when there is nothing. */
  next(): Promise<LiveChunk | null>;
}

export interface LiveChunk {
  readonly bytes: Buffer;
  /** The file was replaced or truncated: earlier chunks are of other content. */
  readonly restarted: boolean;
  /** To be called when the chunk is in the store; the next one follows it. */
  uploaded(): void;
}

type Take = (file: FileHandle, offset: number) => Promise<Block | null>;

interface TailOptions {
  readonly name: string;
  readonly path: string;
  /** Nothing beyond this many bytes is uploaded. */
  readonly cap: number;
}

/** Rows that are not redacted yet: the harness's transcript. */
export function transcriptSource(options: TailOptions, secrets: Secrets): LiveSource {
  return tail(options, (file, offset) => readRedactedBlock(file, offset, false, secrets));
}

/** The recorder's own rows: redacted when they were written, cut at line ends. */
export function rowSource(options: TailOptions): LiveSource {
  return tail(options, async (file, offset) => {
    const block = await readBlock(file, offset);
    const end = block.lastIndexOf(0x0a) + 1;
    const cut = end === 0 && block.length === BLOCK_BYTES ? block.length : end;
    return cut === 0 ? null : { bytes: block.subarray(0, cut), next: offset + cut };
  });
}

/** Bytes as they are: the recording, whose fragments play up to wherever it ends. */
export function byteSource(options: TailOptions): LiveSource {
  return tail(options, async (file, offset) => {
    const block = await readBlock(file, offset);
    return block.length === 0 ? null : { bytes: block, next: offset + block.length };
  });
}

/** What was uploaded so far: a file that does not begin with it any more was rewritten. */
interface Uploaded {
  readonly offset: number;
  readonly inode: number;
  /** The last bytes before `offset`, as they were in the file. */
  readonly lastBytes: Buffer;
}

/**
 * How many bytes must be unchanged. Some harnesses rewrite their whole transcript in place after each step: same inode,
 * never shorter when read.
 */
const LAST_BYTES = 512;

function tail(options: TailOptions, take: Take): LiveSource {
  let before: Uploaded | null = null;
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
        const now = {
          offset: block.next,
          inode: (await file.stat()).ino,
          lastBytes: await bytesBefore(file, block.next),
        };
        return { bytes: block.bytes, restarted, uploaded: () => void (before = now) };
      } finally {
        await file.close();
      }
    },
  };
}

async function continues(file: FileHandle, before: Uploaded): Promise<boolean> {
  const { ino, size } = await file.stat();
  if (ino !== before.inode || size < before.offset) return false;
  return before.lastBytes.equals(await bytesBefore(file, before.offset));
}

async function bytesBefore(file: FileHandle, offset: number): Promise<Buffer> {
  const length = Math.min(LAST_BYTES, offset);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset - length);
  return buffer.subarray(0, bytesRead);
}
