import type { IncomingMessage } from 'node:http';

/** A request that is refused with this status; `message` is for the caller to read. */
export class RequestRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'RequestRefused';
    this.status = status;
  }
}

/**
 * Reads a request's body as JSON.
 * @param limit bytes; more is refused with 413 before it is kept.
 * @throws RequestRefused 400 for what is not JSON.
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const text = (await readBytes(request, limit)).toString('utf8');
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RequestRefused(400, 'the body is not JSON');
  }
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RequestRefused(413, `the body is larger than ${String(limit)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
