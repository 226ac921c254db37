import { q, running, type Channel } from './channel.ts';

/** Requests that open a page or a file. */
const commit = { method: 'GET', matched: 'intercepted' } as const;
const link = (url: string, more: string): string =>
  `{ const a = document.createElement('a'); a.href = ${q(url)}; ${more}; document.body.append(a); a.click(); 1 }`;

export const NAVIGATIONS: readonly Channel[] = [
  { ...commit, name: 'navigation', script: (url) => `location.href = ${q(url)}` },
  { ...commit, name: 'navigation from outside', drive: (driver, url) => driver.navigate(url) },
  { ...commit, name: 'link', script: (url) => link(url, '') },
  { ...commit, name: 'link to a new tab', script: (url) => link(url, "a.target = '_blank'; a.rel = 'noopener'") },
  { ...commit, name: 'download link', script: (url) => link(url, "a.download = 'x'") },
  {
    ...commit,
    name: 'GET form',
    script: (url) =>
      `{ const f = document.createElement('form'); f.action = ${q(url)}; document.body.append(f); f.submit(); 1 }`,
  },
  {
    ...commit,
    name: 'meta refresh',
    script: (url) =>
      `document.head.insertAdjacentHTML('beforeend', ${q(`<meta http-equiv=refresh content="0; url=${url}">`)})`,
  },
  {
    ...commit,
    name: 'Refresh header',
    drive: (driver, url) => driver.navigate(`${driver.site.shop}/refresh?${encodeURIComponent(url)}`),
  },
  {
    ...commit,
    name: 'redirect 302',
    script: (url, { other }) => `location.href = ${q(`${other}/302?${encodeURIComponent(url)}`)}`,
  },
  { ...commit, name: 'popup with a URL', script: (url) => `void window.open(${q(url)})` },
  {
    ...commit,
    name: 'frame with a URL',
    script: (url) => `{ const f = document.createElement('iframe'); f.src = ${q(url)}; document.body.append(f); 1 }`,
  },
  {
    ...commit,
    name: 'cross-site frame that sends the top away',
    script: (url, { other }) =>
      `{ const f = document.createElement('iframe'); f.src = ${q(other + running(`document.body.innerHTML = '<a target=_top href=${url}>x</a>'; document.querySelector('a').click()`))}; document.body.append(f); 1 }`,
  },
  { ...commit, name: 'fetch with GET', script: (url) => `void fetch(${q(url)})` },
  { ...commit, name: 'EventSource', script: (url) => `void (window.e = new EventSource(${q(url)}))` },
  {
    ...commit,
    name: 'EventSource of a shared worker',
    script: (url) => `void (window.w = new SharedWorker(${q(running(`new EventSource(${q(url)})`, '/runner.js'))}))`,
  },
  { ...commit, name: 'a tab made with a URL', drive: (driver, url) => driver.createTarget(url) },
  { ...commit, name: 'a tab made with a URL by /json/new', drive: (driver, url) => driver.jsonNew(url) },
  { ...commit, name: 'a tab of a new context', drive: (driver, url) => driver.createTarget(url, {}) },
  {
    ...commit,
    name: 'a tab of a context with its own proxy',
    drive: (driver, url) => driver.createTarget(url, { proxyServer: 'direct://', proxyBypassList: '*' }),
  },
  {
    name: 'Network.loadNetworkResource',
    method: 'GET',
    matched: 'shut',
    drive: (driver, url) => driver.loadNetworkResource(url),
  },
];
