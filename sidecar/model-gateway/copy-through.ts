import { once } from 'node:events';
import type { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface CopyThrough {
  readonly from: AsyncIterable<Uint8Array>;
  readonly to: Writable;
  /** Between the two. */
  readonly through: Transform | null;
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Aborted when the reader hangs up. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}
export interface Copied {
  /** One side closed before the end of the answer. `to` is destroyed then, so that half an answer never looks complete. */
  readonly cut: boolean;
  readonly firstByteAt: number | null;
}

/** Copies an answer chunk by chunk at the reader's pace. Never throws. */
export async function copyThrough({ from, to, through, onChunk, signal, now }: CopyThrough): Promise<Copied> {
  const target = through ?? to;
  const piped = through === null ? Promise.resolve() : pipeline(through, to);
  piped.catch(() => undefined);
  let firstByteAt: number | null = null;
  try {
    for await (const chunk of from) {
      firstByteAt ??= now();
      onChunk(chunk);
      if (!target.write(chunk)) await once(target, 'drain', { signal });
    }
    target.end();
    await piped;
    return { cut: false, firstByteAt };
  } catch {
    to.destroy();
    return { cut: true, firstByteAt };
  }
}
