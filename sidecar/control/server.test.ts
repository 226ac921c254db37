import { request, type IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { startControl, type ControlServer } from './server.ts';
import type { AttemptControl } from './attempt-control.ts';

let server: ControlServer;
let calls: string[];
let armed: boolean;
let stop: () => void;

const attempt = (): AttemptControl => {
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  return {
    armed: () => ({ armed, ended: false, reason: 'not yet' }),
    agentStarted: () => {
      calls.push('started');
      return armed;
    },
    waitForStop: (signal) =>
      Promise.race([
        stopped.then(() => ({ reason: 'intercepted', killSeconds: 5 })),
        new Promise<null>((resolve) => {
          signal.addEventListener('abort', () => {
            calls.push('gone');
            resolve(null);
          });
        }),
      ]),
    agentExited: ({ exitCode, startError }) => calls.push(`exited ${String(exitCode)} ${startError ?? ''}`),
    finalise: () => Promise.resolve({ v: 1, outcome: 'Failed' } as OutcomeMessage),
    stopRequested: () => calls.push('stop'),
    counts: () => ({ actions: 3, screenshots: 2, requests: 1 }),
    stopRecording: () => Promise.resolve('stopped'),
    recordingBytes: () => 42,
    action: (row) => calls.push(JSON.stringify(row)),
    screenshot: (timestamp, png) => calls.push(`shot ${String(timestamp)} ${String(png.length)}`),
    metrics: () => Promise.resolve('# none\n'),
  };
};

beforeEach(async () => {
  calls = [];
  armed = true;
  server = await startControl(attempt(), 0, pino({ level: 'silent' }));
});
afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Node's plain client: `fetch` would send headers of its own. */
function call(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: server.port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sent.on('error', reject).end(body);
  });
}

const json = async (method: string, path: string, body?: unknown): Promise<unknown> =>
  JSON.parse((await call(method, path, body === undefined ? undefined : JSON.stringify(body))).text);

describe("upstream's routes", () => {
  it('answer in its shapes', async () => {
    expect(await json('GET', '/api/status')).toEqual({ status: 'ok', eval_interceptor_ready: true });
    expect(await json('POST', '/api/stop')).toEqual({
      status: 'stopped',
      actions_count: 3,
      screenshots_count: 2,
      requests_count: 1,
      has_recording: true,
    });
    expect(await json('POST', '/api/stop-recording')).toEqual({
      status: 'recording_stopped',
      recorder_status: 'stopped',
      has_recording: true,
      recording_size: 42,
    });
    expect(await json('POST', '/api/task-submit', { answer: 'blå' })).toEqual({ status: 'received', answer_length: 3 });
    expect(calls).toEqual(['stop']);
  });

  it('take actions and screenshots, the former marked as reported through the API', async () => {
    await json('POST', '/api/action', { type: 'click', x: 1 });
    await json('POST', '/api/screenshot', { timestamp: 17, data: Buffer.from('png').toString('base64') });
    expect(calls).toEqual(['{"type":"click","x":1,"source":"api"}', 'shot 17 3']);
  });

  it('serve the answer page', async () => {
    const page = await call('GET', '/submit');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('name="answer"');
    expect(page.text).toContain('/api/task-submit');
  });
});

describe('the routes of the shim', () => {
  it('say whether an agent may run', async () => {
    expect((await call('GET', '/api/armed')).status).toBe(200);
    expect((await call('POST', '/api/agent/started')).status).toBe(200);
    armed = false;
    expect(await json('GET', '/api/armed')).toEqual({ armed: false, ended: false, reason: 'not yet' });
    expect((await call('POST', '/api/agent/started')).status).toBe(409);
  });

  it('hold the long poll until the stop', async () => {
    const waiting = json('GET', '/api/agent/wait');
    stop();
    expect(await waiting).toEqual({ stop: true, reason: 'intercepted', killSeconds: 5 });
  });

  it('forget a caller that hangs up while it waits', async () => {
    const sent = request({ port: server.port, host: '127.0.0.1', path: '/api/agent/wait', agent: false });
    sent.on('error', () => undefined).end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    sent.destroy();
    await expect.poll(() => calls).toEqual(['gone']);
  });

  it('record the exit and return the outcome', async () => {
    await json('POST', '/api/agent/exited', { exitCode: 127, startError: 'nothing there' });
    expect(calls).toEqual(['exited 127 nothing there']);
    expect(await json('POST', '/api/finalise')).toMatchObject({ outcome: 'Failed' });
  });
});

describe('what is refused', () => {
  it.each([
    ['a page of another site', 'POST', '/api/stop', { origin: 'https://shop.test' }, 403],
    ['a page of the recorder itself', 'POST', '/api/stop', { origin: 'http://127.0.0.1:7878' }, 403],
    ['a fetch without origin', 'GET', '/api/status', { 'sec-fetch-site': 'none' }, 403],
    ['a name that only resolves to loopback', 'POST', '/api/stop', { host: 'evil.test:7878' }, 403],
    ['a path with dots', 'POST', '/submit/../api/stop', {}, 404],
    ['an encoded path', 'POST', '/api/%73top', {}, 404],
    ['the wrong method', 'GET', '/api/stop', {}, 404],
    ['the answer page for a page', 'GET', '/submit', { 'sec-fetch-site': 'cross-site' }, 200],
  ] as const)('%s', async (...row) => {
    const [, method, path, headers, status] = row;
    expect((await call(method, path, undefined, headers)).status).toBe(status);
    expect(calls).toEqual([]);
  });

  it.each([
    ['text', '/api/action', 'not json', 400],
    ['a list', '/api/action', '[]', 422],
    ['a path in place of a timestamp', '/api/screenshot', '{"timestamp":"../../x","data":""}', 422],
    ['a body that is too large', '/api/agent/exited', `"${'x'.repeat(70_000)}"`, 413],
  ] as const)('%s', async (_name, path, body, status) => {
    expect((await call('POST', path, body)).status).toBe(status);
    expect(calls).toEqual([]);
  });
});
