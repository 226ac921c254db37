import { acknowledgedId } from '../pipe/message-reader.ts';

export interface TwoSpeedReaderOptions {
  /** Takes the stream from the start or the middle of a message; may keep the bytes. @throws as it does */
  readonly read: (chunk: Buffer) => boolean;
  readonly acknowledged: (id: number) => void;
  /** Takes a whole message if it is a request that may continue at once; must not keep the bytes. */
  readonly fastPath: (message: Buffer) => boolean;
}

/**
 * Reads the stream in two speeds. The most frequent messages, whole acknowledgements and whole pauses of plain requests
 * that continue, are taken straight from the read buffer. From the first other message on, the rest of the chunk is
 * copied and goes to the complete reader.
 * @returns a function that takes the stream's chunks in order and does not keep them.
 */
export function createTwoSpeedReader(options: TwoSpeedReaderOptions): (chunk: Buffer) => void {
  let withinMessage = false;
  return (chunk) => {
    let from = 0;
    while (!withinMessage && from < chunk.length) {
      const nul = chunk.indexOf(0, from);
      if (nul === -1) break;
      const message = chunk.subarray(from, nul);
      const id = acknowledgedId(message);
      if (id !== null) options.acknowledged(id);
      else if (!options.fastPath(message)) break;
      from = nul + 1;
    }
    if (from < chunk.length) withinMessage = options.read(Buffer.from(chunk.subarray(from)));
  };
}
