/**
 * One page for each scenario of the group `browser_e2e`: the group names what a page did to upstream's interceptor, and
 * the page here does the same.
 */
export interface Scenario {
  /** Evaluated in a page of the shop with user activation. */
  readonly script: (url: string) => string;
  /** The target is on the other site; by default on the page's own. */
  readonly elsewhere?: true;
  /** A passive load: blocked and logged, and not the run's interception. */
  readonly passive?: true;
  /** The browser is configured not to send it at all. */
  readonly switchedOff?: true;
}

export const SHOP = 'shop.test';
export const OTHER = 'other.test';

const BIG = 8_000_000;

/** A value as JavaScript source text, safe inside markup. */
function q(value: string): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function post(url: string, body: string, more = ''): string {
  return `void fetch(${q(url)}, { method: 'POST', body: ${body}${more} }).catch(() => 1);`;
}
const plain = (url: string): string => post(url, "'n=1'");
const json = (body: string) => (url: string) => post(url, body, ", headers: { 'content-type': 'application/json' }");

function form(url: string, { enctype = 'application/x-www-form-urlencoded', target = '' } = {}): string {
  return `{ const form = document.createElement('form'); form.method = 'POST'; form.action = ${q(url)};
    form.enctype = ${q(enctype)}; form.target = ${q(target)};
    form.innerHTML = '<input name=n value=1>'; document.body.append(form); form.submit(); 1 }`;
}

/** A page of a host that runs a script when it loads. */
function running(host: string, script: string): string {
  return `https://${host}/runner?${encodeURIComponent(script)}`;
}
function frame(host: string, script: string): string {
  return `{ const frame = document.createElement('iframe'); frame.src = ${q(running(host, script))}; document.body.append(frame); 1 }`;
}
const popup = (features: string) => (url: string) =>
  `void window.open(${q(running(SHOP, plain(url)))}, '_blank', ${q(features)})`;
const link = (url: string, set: string): string =>
  `{ const a = document.createElement('a'); a.href = ${q(url)}; ${set}; document.body.append(a); a.click(); 1 }`;
const worker = (url: string): string => `/worker.js?${encodeURIComponent(plain(url))}`;

/** Registers a worker for its own folder, waits until it is active, and continues with `then`. */
function serviceWorker(name: string, then: string): string {
  return `(async () => {
    const registration = await navigator.serviceWorker.register('/${name}/worker.js');
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    while (worker.state !== 'activated') await new Promise((done) => { worker.onstatechange = done; });
    ${then}
  })()`;
}
/** The script of a page that the worker controls. */
function controlled(name: string, script: string): string {
  return serviceWorker(
    name,
    `const frame = document.createElement('iframe'); frame.src = '/${name}/page'; document.body.append(frame);
    await new Promise((done) => { frame.onload = done; }); frame.contentWindow.eval(${q(script)});`,
  );
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  aping: { script: (url) => link('#top', `a.ping = ${q(url)}`) },
  'beacon-cross': { elsewhere: true, script: (url) => `navigator.sendBeacon(${q(url)}, 'n=1')` },
  'beacon-str': { script: (url) => `navigator.sendBeacon(${q(url)}, 'n=1')` },
  'cors-preflight': { elsewhere: true, script: (url) => post(url, "'n=1'", ", headers: { 'x-own': '1' }") },
  'dedicated-worker': { script: (url) => `void (window.kept = new Worker(${q(worker(url))}))` },
  download: { script: (url) => link(url, "a.download = 'file'") },
  eventsource: { script: (url) => `void (window.kept = new EventSource(${q(url)}))` },
  'fetch-big': { script: json(`JSON.stringify({ text: 'x'.repeat(${BIG}) })`) },
  'fetch-binary': { script: (url) => post(url, 'new Uint8Array([0, 255, 254, 128])') },
  'fetch-gzip': {
    script: (url) => `(async () => {
      const zipped = new Blob(['{"n":1}']).stream().pipeThrough(new CompressionStream('gzip'));
      const body = await new Response(zipped).blob();
      ${post(url, 'body', ", headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }")}
    })()`,
  },
  'fetch-json': { script: json('\'{"n":1}\'') },
  'fetch-multipart': {
    script: (url) =>
      `{ const data = new FormData(); data.append('n', '1'); data.append('f', new File(['x'], 'x.txt')); ${post(url, 'data')} 1 }`,
  },
  'fetch-number': { script: json("'12345'") },
  'fetch-urlenc': { script: (url) => post(url, "new URLSearchParams({ n: '1' })") },
  'form-multipart-nav': { script: (url) => form(url, { enctype: 'multipart/form-data' }) },
  'form-target-blank': { script: (url) => form(url, { target: '_blank' }) },
  'form-target-iframe': {
    script: (url) => `document.body.insertAdjacentHTML('beforeend', '<iframe name=inner></iframe>');
      ${form(url, { target: 'inner' })}`,
  },
  img: { passive: true, script: (url) => `void (new Image().src = ${q(url)})` },
  keepalive: { script: (url) => post(url, "'n=1'", ', keepalive: true') },
  'noopener-popupfetch': { script: popup('noopener') },
  'oopif-fetch': { elsewhere: true, script: (url) => frame(OTHER, plain(url)) },
  'oopif-form': { elsewhere: true, script: (url) => frame(OTHER, form(url)) },
  'opener-popupfetch': { script: popup('') },
  'popup-direct': { script: (url) => `void window.open(${q(url)})` },
  'same-iframe-fetch': { script: (url) => frame(SHOP, plain(url)) },
  'same-iframe-form': { script: (url) => frame(SHOP, form(url)) },
  'shared-worker': { script: (url) => `void (window.kept = new SharedWorker(${q(worker(url))}))` },
  'spec-prefetch': {
    switchedOff: true,
    script: (url) => `{ const rules = document.createElement('script'); rules.type = 'speculationrules';
      rules.textContent = JSON.stringify({ prefetch: [{ urls: [${q(url)}], eagerness: 'immediate' }] });
      document.head.append(rules); 1 }`,
  },
  'sw-internal': { script: (url) => serviceWorker('tells', `registration.active.postMessage(${q(url)});`) },
  'swcontrolled-passthrough': { script: (url) => controlled('passes', plain(url)) },
  viasw: { script: (url) => controlled('answers', plain(url)) },
};

const RUN = 'eval(decodeURIComponent(location.search.slice(1)));';
const CLAIM = `addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));`;

/** The responses of the two sites; every other path is an empty page. */
export const PAGES: Readonly<Record<string, string>> = {
  '/runner': `<!doctype html><meta charset=utf-8><body><script>${RUN}</script>`,
  '/worker.js': `const run = () => { ${RUN} }; run();`,
  '/tells/worker.js': `${CLAIM} addEventListener('message', (event) =>
    event.waitUntil(fetch(event.data, { method: 'POST', body: 'n=1' }).catch(() => 1)));`,
  '/attached/worker.js': CLAIM,
  '/passes/worker.js': `${CLAIM} addEventListener('fetch', () => undefined);`,
  '/answers/worker.js': `${CLAIM} addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`,
};
