import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Posts JSON and reads the whole response. @throws PostFailure */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<PostAnswer>;

/** There was no response: no connection, or a timeout. */
export class PostFailure extends Error {
  readonly timedOut: boolean;
  constructor(timedOut: boolean, cause?: unknown) {
    super(timedOut ? 'no response in time' : 'no connection', { cause });
    this.name = 'PostFailure';
    this.timedOut = timedOut;
  }
}

/** A verdict has a few hundred characters; an endpoint that sends megabytes is not a model. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** The cause of a failure: the response exceeded the limit. */
export const TOO_LARGE = 'more than 8 MiB';
const MAX_SOCKETS = 256;

/**
 * Posts over Node's own HTTP client with keep-alive connections. Judging is thousands of small calls, and the client is most
 * of the cost of each: docs/decisions/004 has the figures of the alternatives.
 * @param timeoutMs from the call to the last byte of the response.
 */
export function createPost(timeoutMs: number): Post {
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  };
  const once: Post = (url, headers, body) =>
    new Promise((resolve, reject) => {
      const isTls = url.startsWith('https:');
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      };
      const request = isTls
        ? httpsRequest(url, { ...options, agent: agents.https })
        : httpRequest(url, { ...options, agent: agents.http });
      const timer = setTimeout(() => request.destroy(new PostFailure(true)), timeoutMs);
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        reject(error instanceof PostFailure ? error : new PostFailure(false, isStale(request, error) ? STALE : error));
      };
      request.on('error', fail);
      request.on('response', (response) => {
        readAll(response, fail, (text) => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, retryAfter: header(response, 'retry-after'), text });
        });
        response.on('error', fail);
        response.on('aborted', () => fail(new PostFailure(false)));
      });
      request.end(body);
    });
  return async (url, headers, body) => {
    try {
      return await once(url, headers, body);
    } catch (error) {
      // The endpoint closed an idle connection just as we reused it: it has not seen this call.
      if (error instanceof PostFailure && error.cause === STALE) return once(url, headers, body);
      throw error;
    }
  };
}

const STALE = 'the keep-alive connection was closed';

function isStale(request: ClientRequest, error: unknown): boolean {
  return request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

function readAll(response: IncomingMessage, fail: (error: PostFailure) => void, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_ANSWER_BYTES) return void chunks.push(chunk);
    // Before destroying the connection, which would be reported as a lost connection.
    fail(new PostFailure(false, TOO_LARGE));
    response.destroy();
  });
  response.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
}

function header(response: IncomingMessage, name: string): string | null {
  const value = response.headers[name];
  return typeof value === 'string' ? value : null;
}
