/**
 * Ways in which a page can send a request. Each is a script for a page on `https://shop.test/start`, given the path that
 * it must send to and the body. `site` serves the helper pages and scripts of {@link HELPER_PAGES}.
 */
export interface Channel {
  readonly name: string;
  /** Expression to evaluate. */
  script(url: string): string;
  /** What the guard or the gateway makes of a match. */
  readonly matched: 'intercepted' | 'passive' | 'socket';
  /** Body that a near-miss must arrive with; undefined: none, or one whose boundary is random. */
  readonly body?: string;
}

export const BODY = '{"café":"\\u0000 ü & = %41"}';
const B = JSON.stringify(BODY);
const inFrame = (attributes: string): string =>
  `new Promise((done) => { const f = document.createElement('iframe'); ${attributes}; f.onload = done; document.body.append(f); })`;
const form = (url: string, enctype: string, more = ''): string =>
  `{ const f = document.createElement('form'); f.method = 'POST'; f.action = ${q(url)}; f.enctype = ${q(enctype)}; ${more}
     const i = document.createElement('input'); i.name = 'a'; i.value = 'é &1'; f.append(i); document.body.append(f); f.submit(); 1 }`;

export const CHANNELS: readonly Channel[] = [
  {
    name: 'fetch',
    matched: 'intercepted',
    body: BODY,
    script: (url) => `void fetch(${q(url)}, { method: 'POST', body: ${B} })`,
  },
  {
    name: 'fetch of a binary Blob',
    matched: 'intercepted',
    body: '\x00\xff\xfe',
    script: (url) => `void fetch(${q(url)}, { method: 'POST', body: new Blob([new Uint8Array([0, 255, 254])]) })`,
  },
  { name: 'XHR', matched: 'intercepted', body: BODY, script: (url) => xhr(url, true) },
  {
    name: 'synchronous XHR',
    matched: 'intercepted',
    body: BODY,
    script: (url) => `setTimeout(() => { ${xhr(url, false)} })`,
  },
  {
    name: 'urlencoded form',
    matched: 'intercepted',
    body: 'a=%C3%A9+%261',
    script: (url) => form(url, 'application/x-www-form-urlencoded'),
  },
  { name: 'multipart form', matched: 'intercepted', script: (url) => form(url, 'multipart/form-data') },
  {
    name: 'form into a new window',
    matched: 'intercepted',
    body: 'a=%C3%A9+%261',
    script: (url) => form(url, 'application/x-www-form-urlencoded', "f.target = '_blank';"),
  },
  { name: 'sendBeacon', matched: 'intercepted', body: BODY, script: (url) => `navigator.sendBeacon(${q(url)}, ${B})` },
  {
    name: 'keepalive fetch during unload',
    matched: 'intercepted',
    body: BODY,
    script: (url) =>
      `{ addEventListener('pagehide', () => void fetch(${q(url)}, { method: 'POST', keepalive: true, body: ${B} })); location.href = '/away'; 1 }`,
  },
  {
    name: 'a ping',
    matched: 'intercepted',
    body: 'PING',
    script: (url) =>
      `{ const a = document.createElement('a'); a.href = '#x'; a.ping = ${q(url)}; document.body.append(a); a.click(); 1 }`,
  },
  {
    name: 'same-site iframe',
    matched: 'intercepted',
    body: BODY,
    script: (url) => inFrame(`f.src = '/send?' + ${q(encodeURIComponent(url))}`),
  },
  {
    name: 'cross-site iframe',
    matched: 'intercepted',
    body: BODY,
    script: (url) => inFrame(`f.src = 'https://other.test/send?' + ${q(encodeURIComponent(url))}`),
  },
  {
    name: 'nested cross-site iframe',
    matched: 'intercepted',
    body: BODY,
    script: (url) => inFrame(`f.src = 'https://other.test/nest?' + ${q(encodeURIComponent(url))}`),
  },
  {
    name: 'sandboxed srcdoc iframe',
    matched: 'intercepted',
    body: BODY,
    script: (url) =>
      inFrame(
        `f.sandbox = 'allow-scripts'; f.srcdoc = ${q(`<script>fetch(${q(url)},{method:'POST',mode:'no-cors',body:${B}})</script>`)}`,
      ),
  },
  {
    name: 'dedicated worker',
    matched: 'intercepted',
    body: BODY,
    script: (url) => `void (window.w = new Worker('/worker.js?' + ${q(encodeURIComponent(url))}))`,
  },
  {
    name: 'shared worker',
    matched: 'intercepted',
    body: BODY,
    script: (url) => `void (window.w = new SharedWorker('/worker.js?' + ${q(encodeURIComponent(url))}))`,
  },
  {
    name: 'service worker',
    matched: 'intercepted',
    body: BODY,
    script: (url) =>
      `navigator.serviceWorker.register('/worker.js?' + ${q(encodeURIComponent(url))}, { scope: '/sw/' }).then(() => 1)`,
  },
  { name: 'popup with a URL', matched: 'intercepted', script: (url) => `void window.open(${q(url)})` },
  { name: 'navigation', matched: 'intercepted', script: (url) => `location.href = ${q(url)}` },
  {
    name: 'redirect 307',
    matched: 'intercepted',
    body: BODY,
    script: (url) => `void fetch('/redirect?to=' + ${q(encodeURIComponent(url))}, { method: 'POST', body: ${B} })`,
  },
  { name: 'EventSource', matched: 'intercepted', script: (url) => `void (window.e = new EventSource(${q(url)}))` },
  {
    name: 'WebSocket (wss)',
    matched: 'socket',
    script: (url) => `void (window.s = new WebSocket(${q(url.replace('https:', 'wss:'))}))`,
  },
  { name: 'image', matched: 'passive', script: (url) => `void (new Image().src = ${q(url)})` },
  {
    name: 'prefetch link',
    matched: 'passive',
    script: (url) =>
      `{ const l = document.createElement('link'); l.rel = 'prefetch'; l.href = ${q(url)}; document.head.append(l); 1 }`,
  },
];

const SENDER = `fetch(decodeURIComponent(location.search.slice(1)), { method: 'POST', mode: 'no-cors', body: ${B} });`;

export const HELPER_PAGES: Readonly<Record<string, string>> = {
  '/send': `<!doctype html><script>${SENDER}</script>`,
  '/nest': `<!doctype html><body><script>
    const f = document.createElement('iframe');
    f.src = 'https://third.test/send' + location.search;
    document.body.append(f);
  </script>`,
  '/worker.js': SENDER,
};

function xhr(url: string, asynchronous: boolean): string {
  return `{ const x = new XMLHttpRequest(); x.open('POST', ${q(url)}, ${asynchronous}); x.send(${B}); 1 }`;
}

function q(text: string): string {
  return JSON.stringify(text);
}
