import type { IncomingMessage } from 'node:http';
import { readCappedBody } from '../read-capped-body.ts';

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
 * Reads a request's body as JSON; null when there is none.
 * @param limit bytes.
 * @throws RequestRefused 413 for a larger body, 400 for a body that is not JSON.
 */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const bytes = await readCappedBody(request, limit);
  if (bytes === null) throw new RequestRefused(413, `the body is larger than ${String(limit)} bytes`);
  const text = bytes.toString('utf8');
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RequestRefused(400, 'the body is not JSON');
  }
}
