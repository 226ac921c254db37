import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a request.
 * @param limit bytes.
 * @returns null as soon as the body is larger; the rest is not read.
 */
export async function readCappedBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
