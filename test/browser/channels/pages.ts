import { formPdf } from './form-pdf.ts';

/** The test site's responses. Helper pages read what to do from their query, so there is one of each kind. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

const html = (body: string, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: `<!doctype html><meta charset=utf-8>${body}`,
});
const script = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/javascript', 'service-worker-allowed': '/' },
  body,
});
const RUN = 'eval(decodeURIComponent(location.search.slice(1)));';

const PAGES: Readonly<Record<string, (argument: string) => Answer>> = {
  '/runner': () => html(`<body><script>${RUN}</script>`),
  '/runner.js': () => script(`const sent = () => ${RUN} sent();`),
  // A service worker that sends only when it is asked to: by a message, a sync, or a request that it answers itself.
  '/service.js': () =>
    script(`
      addEventListener('install', () => skipWaiting());
      addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      const send = () => ${RUN}
      addEventListener('message', (event) => event.waitUntil(send()));
      addEventListener('sync', (event) => event.waitUntil(send()));
      addEventListener('fetch', (event) => {
        if (event.request.url.includes('/token-')) event.respondWith(fetch(event.request));
        if (event.request.url.includes('/relay')) event.respondWith(send().then(() => new Response('relayed')));
      });`),
  '/service-race.js': () =>
    script(`
      addEventListener('install', (event) => event.waitUntil(
        event.addRoutes([{ condition: { requestMethod: 'POST' }, source: 'race-network-and-fetch-handler' }]).then(skipWaiting)));
      addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`),
  '/307': (to) => ({ status: 307, headers: { location: to }, body: '' }),
  '/302': (to) => ({ status: 302, headers: { location: to }, body: '' }),
  '/refresh': (to) => html('<title>refresh</title>', { refresh: `0; url=${to}` }),
  '/csp': (to) => html('<img src=/blocked.png>', { 'content-security-policy': `img-src 'none'; report-uri ${to}` }),
  '/reporting': (to) =>
    html('<img src=/blocked.png>', {
      'reporting-endpoints': `main="${to}"`,
      'content-security-policy': "img-src 'none'; report-to main",
    }),
  '/nel': (to) =>
    html('<title>nel</title>', {
      'report-to': JSON.stringify({ group: 'n', max_age: 1000, endpoints: [{ url: to }] }),
      nel: '{"report_to":"n","max_age":1000,"success_fraction":1}',
    }),
  '/form.pdf': (to) => ({ status: 200, headers: { 'content-type': 'application/pdf' }, body: formPdf(to) }),
  '/bound-session': (to) =>
    html('<title>bound</title>', { 'secure-session-registration': `(ES256);path="${to}";challenge="c"` }),
  '/link-header': (to) => html('<title>link</title>', { link: `<${to}>; rel=preload; as=image` }),
};

/** @param url the request target as it came. */
export function pageFor(url: string): Answer {
  const [path = '', argument = ''] = url.split(/\?(.*)/s);
  const page = PAGES[path];
  if (page !== undefined) return page(decodeURIComponent(argument));
  if (path.endsWith('.js')) return script('');
  return html(`<title>${path.replaceAll('<', '')}</title>`);
}
