import { acknowledgedId } from '../pipe/message-reader.ts';

export interface TwoSpeedReaderOptions {
  /** Takes the stream from where a message begins or goes on; may keep the bytes. @throws as it does */
  readonly read: (chunk: Buffer) => boolean;
  readonly acknowledged: (id: number) => void;
  /** Takes a whole message if it is one that can go on at once; must not keep the bytes. */
  readonly pass: (message: Buffer) => boolean;
}

/**
 * The stream in two speeds. What comes most, whole acknowledgements and whole pauses of plain requests that go on, is
 * taken straight from the buffer that was read into. From the first message that is anything else, the rest of the chunk
 * is copied and goes to the reader that knows everything.
 * @returns takes the stream's chunks in order; a chunk is not kept.
 */
export function createTwoSpeedReader(options: TwoSpeedReaderOptions): (chunk: Buffer) => void {
  let within = false;
  return (chunk) => {
    let from = 0;
    while (!within && from < chunk.length) {
      const nul = chunk.indexOf(0, from);
      if (nul === -1) break;
      const message = chunk.subarray(from, nul);
      const id = acknowledgedId(message);
      if (id !== null) options.acknowledged(id);
      else if (!options.pass(message)) break;
      from = nul + 1;
    }
    if (from < chunk.length) within = options.read(Buffer.from(chunk.subarray(from)));
  };
}
