import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Posts JSON and reads the whole answer. @throws PostFailure */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<PostAnswer>;

/** There was no answer: no connection, or none in time. */
export class PostFailure extends Error {
  readonly timedOut: boolean;
  constructor(timedOut: boolean, cause?: unknown) {
    super(timedOut ? 'no answer in time' : 'no connection', { cause });
    this.name = 'PostFailure';
    this.timedOut = timedOut;
  }
}

/** A verdict has a few hundred characters; an endpoint that sends megabytes is not a model. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** The cause of a failure: the endpoint answered without end. */
export const TOO_LARGE = 'more than 8 MiB';
const MAX_SOCKETS = 256;

/**
 * A poster over Node's own HTTP client with kept connections. Judging is thousands of small calls, and the client is
 * most of what each costs: docs/decisions/004 has the numbers of the alternatives.
 * @param timeoutMs from the call to the answer's last byte.
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
      // The endpoint closed an idle connection just as we took it: it has seen nothing of this call.
      if (error instanceof PostFailure && error.cause === STALE) return once(url, headers, body);
      throw error;
    }
  };
}

const STALE = 'the kept connection was closed';

function isStale(request: ClientRequest, error: unknown): boolean {
  return request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

function readAll(response: IncomingMessage, fail: (error: PostFailure) => void, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_ANSWER_BYTES) return void chunks.push(chunk);
    // Before the end of the connection, which would be told as its loss.
    fail(new PostFailure(false, TOO_LARGE));
    response.destroy();
  });
  response.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
}

function header(response: IncomingMessage, name: string): string | null {
  const value = response.headers[name];
  return typeof value === 'string' ? value : null;
}
