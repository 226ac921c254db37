import { createServer } from 'node:http';

/**
 * A judge model in a process of its own, so that its work is not counted as the caller's. Whatever the prompt says, it
 * answers with the `reply` parameter of the URL that it judges: upstream's prompts and ours differ,
 * the caught request does not.
 *
 * `node judge-endpoint.ts LATENCY_MS`; prints its port. `GET /stats`: calls, and the times of the first call and of the
 * last reply; `POST /status/CODE` makes every further call fail with that code (200: no longer).
 */
const latencyMs = Number(process.argv[2] ?? '0');
let stats = { calls: 0, firstCall: 0, lastReply: 0, mostAtOnce: 0 };
let status = 200;
let active = 0;

const server = createServer((request, response) => {
  const { url = '' } = request;
  if (url === '/stats') return void response.end(JSON.stringify(stats));
  if (url === '/reset')
    return void response.end(JSON.stringify((stats = { ...stats, calls: 0, firstCall: 0, mostAtOnce: 0 })));
  if (url.startsWith('/status/')) {
    status = Number(url.slice('/status/'.length));
    return void response.end();
  }
  if (stats.firstCall === 0) stats.firstCall = performance.now();
  stats.calls += 1;
  active += 1;
  stats.mostAtOnce = Math.max(stats.mostAtOnce, active);
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? answer(text) : '{"error":{"message":"scripted"}}');
      active -= 1;
      stats.lastReply = performance.now();
    }, latencyMs);
  });
});

function answer(prompt: string): string {
  const reply = /[?&]reply=([A-Za-z0-9%_.!~*'()-]*)/.exec(prompt)?.[1] ?? '';
  const message = { role: 'assistant', content: decodeURIComponent(reply) };
  return JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { total_tokens: 11 } });
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
