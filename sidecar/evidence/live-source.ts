import type { FileHandle } from 'node:fs/promises';
import { openPlainFile } from './plain-file.ts';
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

function tail(options: TailOptions, take: Take): LiveSource {
  let offset = 0;
  let inode: number | null = null;
  return {
    name: options.name,
    next: async () => {
      const file = await openPlainFile(options.path);
      if (!file) return null;
      try {
        const found = await file.stat();
        const restarted = offset > 0 && (found.ino !== inode || found.size < offset);
        const from = restarted ? 0 : offset;
        if (from >= options.cap) return null;
        const block = await take(file, from);
        if (!block) return null;
        const taken = (): void => {
          offset = block.next;
          inode = found.ino;
        };
        return { bytes: block.bytes, restarted, taken };
      } finally {
        await file.close();
      }
    },
  };
}
