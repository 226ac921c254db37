import { q, running, type Channel } from './channel.ts';

/** WebSocket handshakes: the one kind of request that Fetch never pauses. Only a GET task can match one. */
const socket = { method: 'GET', matched: 'socket', unseen: true, missElsewhere: true } as const;
const wss = (url: string): string => q(url.replace(/^http/, 'ws'));
const opened = (url: string): string => `(self.s ??= []).push(new WebSocket(${wss(url)}))`;

export const SOCKETS: readonly Channel[] = [
  { ...socket, name: 'wss', script: (url) => opened(url) },
  {
    ...socket,
    name: 'wss after HTTP/2 to the same host',
    script: (url) => `fetch(${q(`${new URL(url).origin}/warm`)}, { mode: 'no-cors' }).then(() => { ${opened(url)} })`,
  },
  {
    ...socket,
    name: 'wss of a shared worker',
    script: (url) => `void (window.w = new SharedWorker(${q(running(opened(url), '/runner.js'))}))`,
  },
  {
    ...socket,
    name: 'WebSocketStream',
    script: (url) =>
      `void (window.s = new WebSocketStream(${wss(url)}), s.opened.catch(() => 1), s.closed.catch(() => 1))`,
  },
];
