import type { ChannelDriver } from './channel-driver.ts';
import { BODY, BODY_BYTES, post, q, running, type Channel } from './channel.ts';

/** What a page's own script can send without leaving the page, and what it sends while it is left. */
const commit = { method: 'POST', matched: 'intercepted' } as const;
const whole = { ...commit, body: BODY_BYTES };
const onLeaving = (send: string): string =>
  `addEventListener('pagehide', () => { ${send} }); location.href = '/away'; 1`;

export const PAGE_REQUESTS: readonly Channel[] = [
  { ...whole, name: 'fetch', script: (url) => `void ${post(url)}` },
  {
    ...commit,
    name: 'fetch of a binary Blob',
    body: '\x00\xff\xfe\x80',
    script: (url) => `void fetch(${q(url)}, { method: 'POST', body: new Blob([new Uint8Array([0, 255, 254, 128])]) })`,
  },
  {
    ...commit,
    name: 'fetch of FormData with a file',
    script: (url) =>
      `{ const d = new FormData(); d.append('a', 'é'); d.append('f', new File([new Uint8Array([0, 255])], 'x.bin')); void fetch(${q(url)}, { method: 'POST', body: d }); 1 }`,
  },
  {
    ...commit,
    name: 'fetch of a stream',
    unseen: true,
    body: 'streamed',
    script: (url) => `void fetch(${q(url)}, { method: 'POST', duplex: 'half', body: new Blob(['streamed']).stream() })`,
  },
  {
    ...whole,
    name: 'fetch of a cloned Request',
    script: (url) => `void fetch(new Request(${q(url)}, { method: 'POST', body: ${q(BODY)} }).clone())`,
  },
  {
    ...whole,
    name: 'fetch with a preflight',
    script: (url, where) =>
      crossOrigin(`fetch(${q(url)}, { method: 'POST', headers: { 'x-own': '1' }, body: ${q(BODY)} })`, where.other),
  },
  { ...whole, name: 'XHR', script: (url) => xhr(url, true) },
  { ...whole, name: 'synchronous XHR', script: (url) => `setTimeout(() => { ${xhr(url, false)} })` },
  { ...whole, name: 'sendBeacon', script: (url) => `navigator.sendBeacon(${q(url)}, ${q(BODY)})` },
  {
    ...commit,
    name: 'sendBeacon of a Blob while the page is left',
    body: 'x\xff',
    script: (url) => onLeaving(`navigator.sendBeacon(${q(url)}, new Blob(['x', new Uint8Array([255])]))`),
  },
  {
    ...whole,
    name: 'keepalive fetch while the page is left',
    script: (url) => onLeaving(post(url, ', keepalive: true')),
  },
  {
    ...whole,
    name: 'fetchLater, by its time',
    script: (url) => `fetchLater(${q(url)}, { method: 'POST', body: ${q(BODY)}, activateAfter: 0 }).activated`,
  },
  {
    ...whole,
    name: 'fetchLater, when the page is left',
    script: (url) => `fetchLater(${q(url)}, { method: 'POST', body: ${q(BODY)} }); location.href = '/away'; 1`,
  },
  {
    ...whole,
    name: 'fetchLater, when the tab is closed',
    drive: async (driver: ChannelDriver, url: string): Promise<void> => {
      await driver.evaluate(`fetchLater(${q(url)}, { method: 'POST', body: ${q(BODY)} }).activated`);
      await driver.closePage();
    },
  },
  {
    ...commit,
    name: 'a ping',
    body: 'PING',
    script: (url) =>
      `{ const a = document.createElement('a'); a.href = '#x'; a.ping = ${q(url)}; document.body.append(a); a.click(); 1 }`,
  },
  {
    ...whole,
    name: 'redirect 307 into the target',
    script: (url) => `void ${post(`/307?${encodeURIComponent(url)}`)}`,
  },
  {
    ...whole,
    name: 'redirect 307 by way of another site',
    script: (url, where) =>
      `void ${post(`${where.other}/307?${encodeURIComponent(`${where.third}/307?${encodeURIComponent(url)}`)}`)}`,
  },
];

function xhr(url: string, asynchronous: boolean): string {
  return `{ const x = new XMLHttpRequest(); x.open('POST', ${q(url)}, ${asynchronous}); x.send(${q(BODY)}); 1 }`;
}

function crossOrigin(script: string, origin: string): string {
  return `{ const f = document.createElement('iframe'); f.src = ${q(origin + running(script))}; document.body.append(f); 1 }`;
}
