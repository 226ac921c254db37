import http from 'node:http';
import { once } from 'node:events';

/** A response of Chromium's own DevTools port, which is reached by a socket that only the recorder has. */
export interface BrowserHttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** @throws when the browser does not answer within 5 s. */
export async function requestBrowser(cdpSocket: string, path: string, method = 'GET'): Promise<BrowserHttpResponse> {
  const request = http.request({
    socketPath: cdpSocket,
    path,
    method,
    headers: { host: 'localhost' },
    agent: false,
    timeout: 5_000,
  });
  request.on('timeout', () => request.destroy(new Error("the browser's DevTools port does not answer")));
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 502,
    contentType: response.headers['content-type'] ?? 'application/json; charset=UTF-8',
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/**
 * The path of the browser-level endpoint (`/devtools/browser/<id>`).
 * @throws when the browser does not give one.
 */
export async function browserEndpointPath(cdpSocket: string): Promise<string> {
  const { body } = await requestBrowser(cdpSocket, '/json/version');
  const url = (JSON.parse(body) as { webSocketDebuggerUrl?: string }).webSocketDebuggerUrl ?? '';
  return new URL(url).pathname;
}
