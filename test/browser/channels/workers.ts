import type { ChannelDriver } from './channel-driver.ts';
import { BODY_BYTES, post, q, running, type Channel } from './channel.ts';

/** Workers, cold and warm, and pages whose requests a service worker answers. */
const commit = { method: 'POST', matched: 'intercepted', body: BODY_BYTES } as const;
const worker = (url: string): string => running(post(url), '/runner.js');
/** A service worker with its own scope that sends when asked to; `r` is its registration. */
const registered = (url: string, then: string, path = '/service.js'): string =>
  `(async () => {
    const scope = '/scope-' + crypto.randomUUID() + '/';
    const r = await navigator.serviceWorker.register(${q(running(post(url), path))}, { scope });
    const w = r.installing ?? r.waiting ?? r.active;
    if (w.state !== 'activated') await new Promise((done) => w.addEventListener('statechange', () => w.state === 'activated' && done()));
    ${then}
  })()`;
/** A frame that the worker controls. */
const controlled = (script: string): string =>
  `const f = document.createElement('iframe'); f.src = scope + ${q(`page?${encodeURIComponent(script)}`)};
   document.body.append(f); await new Promise((done) => { f.onload = done; }); f.contentWindow.eval(${q(script)});`;

export const WORKERS: readonly Channel[] = [
  { ...commit, name: 'dedicated worker', script: (url) => `void (window.w = new Worker(${q(worker(url))}))` },
  {
    ...commit,
    name: 'module worker',
    script: (url) => `void (window.w = new Worker(${q(worker(url))}, { type: 'module' }))`,
  },
  {
    ...commit,
    name: 'worker of a Blob, nested',
    script: (url: string): string => {
      const inner = `new Worker(URL.createObjectURL(new Blob([${q(post(url))}])))`;
      return `void (window.w = new Worker(URL.createObjectURL(new Blob([${q(inner)}]))))`;
    },
  },
  { ...commit, name: 'shared worker', script: (url) => `void (window.w = new SharedWorker(${q(worker(url))}))` },
  {
    ...commit,
    name: 'service worker, while it starts',
    script: (url) =>
      `navigator.serviceWorker.register(${q(worker(url))}, { scope: '/cold/' + crypto.randomUUID() }).then(() => 1)`,
  },
  { ...commit, name: 'service worker, on a message', script: (url) => registered(url, 'r.active.postMessage(1);') },
  {
    ...commit,
    name: 'service worker, restarted',
    takesMs: 2_500,
    drive: async (driver: ChannelDriver, url: string): Promise<void> => {
      await driver.evaluate(registered(url, 'window.r = r;'));
      await driver.stopServiceWorkers();
      await driver.evaluate('void r.active.postMessage(1)');
    },
  },
  {
    ...commit,
    name: 'a controlled page, answered by its worker’s own fetch',
    script: (url) => registered(url, controlled(`void ${post(url)}`)),
  },
  {
    ...commit,
    name: 'a request that the worker sends instead of another one',
    script: (url) => registered(url, controlled("void fetch('/relay')")),
  },
  {
    ...commit,
    name: 'static routes past a worker',
    script: (url) => registered(url, controlled(`void ${post(url)}`), '/service-race.js'),
  },
  {
    ...commit,
    name: 'background sync',
    script: (url) => registered(url, "await r.sync.register('send');"),
  },
  {
    name: 'background fetch',
    method: 'POST',
    matched: 'shut',
    script: (url) =>
      registered(url, `await r.backgroundFetch.fetch('id', new Request(${q(url)}, { method: 'POST', body: 'x' }));`),
  },
];
