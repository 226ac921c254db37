import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal control API that records calls and responds as a test specifies. */
export interface TinyControl {
  readonly url: string;
  readonly calls: string[];
  /** `/api/armed`: 200, or 503 with this body. */
  armed: true | { readonly ended: boolean };
  startedStatus: number;
  /** Responds to the long poll with a stop. */
  stop(killSeconds: number): void;
  readonly outcome: string;
  close(): Promise<void>;
}

export async function startTinyControl(): Promise<TinyControl> {
  const calls: string[] = [];
  let order: string | null = null;
  const waiting: ServerResponse[] = [];
  const control: TinyControl = {
    url: '',
    calls,
    armed: true,
    startedStatus: 200,
    outcome: '{"v":1,"outcome":"Failed"}',
    stop: (killSeconds) => {
      order = JSON.stringify({ stop: true, reason: 'timeLimit', killSeconds });
      for (const response of waiting.splice(0)) response.writeHead(200).end(order);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  const answer = (path: string, body: string, response: ServerResponse): void => {
    if (path === '/api/agent/wait') {
      if (order === null) waiting.push(response);
      else response.writeHead(200).end(order);
      return;
    }
    calls.push(`${path} ${body}`.trim());
    if (path === '/api/armed' && control.armed !== true) {
      response.writeHead(503).end(JSON.stringify(control.armed));
      return;
    }
    const status = path === '/api/agent/started' ? control.startedStatus : 200;
    response.writeHead(status).end(path === '/api/finalise' ? control.outcome : '{}');
  };
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      answer(request.url ?? '', body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(control, { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
}
