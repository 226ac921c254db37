import { BODY_BYTES, post, q, running, type Channel } from './channel.ts';

/** Frames of every kind: upstream's interceptor missed most of them. */
const commit = { method: 'POST', matched: 'intercepted', body: BODY_BYTES } as const;
const frame = (attributes: string): string =>
  `{ const f = document.createElement('iframe'); ${attributes}; document.body.append(f); 1 }`;
const tagged = (script: string): string => `<script>${script}</script>`;

export const FRAMES: readonly Channel[] = [
  { ...commit, name: 'same-site frame', script: (url) => frame(`f.src = ${q(running(post(url)))}`) },
  {
    ...commit,
    name: 'cross-site frame',
    script: (url, { other }) => frame(`f.src = ${q(other + running(post(url)))}`),
  },
  {
    ...commit,
    name: 'nested cross-site frame',
    script: (url, { other, third }) =>
      frame(`f.src = ${q(other + running(frame(`f.src = ${q(third + running(post(url)))}`)))}`),
  },
  {
    ...commit,
    name: 'cross-site frame that nests the site of the page',
    script: (url, { other, shop }) =>
      frame(`f.src = ${q(other + running(frame(`f.src = ${q(shop + running(post(url)))}`)))}`),
  },
  { ...commit, name: 'srcdoc frame', script: (url) => frame(`f.srcdoc = ${q(tagged(post(url)))}`) },
  {
    ...commit,
    name: 'sandboxed srcdoc frame',
    script: (url) => frame(`f.sandbox = 'allow-scripts'; f.srcdoc = ${q(tagged(post(url)))}`),
  },
  {
    ...commit,
    name: 'data: frame',
    script: (url) => frame(`f.src = 'data:text/html;charset=utf-8,' + encodeURIComponent(${q(tagged(post(url)))})`),
  },
  {
    ...commit,
    name: 'blob: frame',
    script: (url) => frame(`f.src = URL.createObjectURL(new Blob([${q(tagged(post(url)))}], { type: 'text/html' }))`),
  },
  {
    ...commit,
    name: 'about:blank frame',
    script: (url) => `${frame('window.own = f')}; window.own.contentWindow.eval(${q(`void ${post(url)}`)})`,
  },
  {
    ...commit,
    name: 'credentialless frame',
    script: (url, { other }) => frame(`f.credentialless = true; f.src = ${q(other + running(post(url)))}`),
  },
  {
    ...commit,
    name: 'object element',
    script: (url, { other }) =>
      `{ const o = document.createElement('object'); o.type = 'text/html'; o.data = ${q(other + running(post(url)))}; document.body.append(o); 1 }`,
  },
  {
    ...commit,
    name: 'cross-site popup',
    script: (url, { other }) => `void window.open(${q(other + running(post(url)))})`,
  },
  {
    ...commit,
    name: 'popup without an opener',
    script: (url, { other }) => `void window.open(${q(other + running(post(url)))}, '_blank', 'noopener')`,
  },
];
