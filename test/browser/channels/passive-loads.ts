import type { ChannelDriver } from './channel-driver.ts';
import { q, type Channel } from './channel.ts';

/** Loads that a browser makes on its own: blocked when they match, without counting as the agent's commit. */
const load = { method: 'GET', matched: 'passive' } as const;
const shut = { method: 'GET', matched: 'shut' } as const;
const element = (name: string, attributes: string, parent = 'body'): string =>
  `{ const e = document.createElement(${q(name)}); ${attributes}; document.${parent}.append(e); 1 }`;
const link = (rel: string, url: string, more = ''): string =>
  element('link', `e.rel = ${q(rel)}; e.href = ${q(url)}; ${more}`, 'head');
const rules = (kind: string, url: string): string =>
  element(
    'script',
    `e.type = 'speculationrules'; e.textContent = JSON.stringify({ ${kind}: [{ urls: [${q(url)}], eagerness: 'immediate' }] })`,
    'head',
  );

export const PASSIVE_LOADS: readonly Channel[] = [
  { ...load, name: 'image', script: (url) => `void (new Image().src = ${q(url)})` },
  { ...load, name: 'style sheet', script: (url) => link('stylesheet', url) },
  { ...load, name: 'background of a style', script: (url) => `document.body.style.background = ${q(`url("${url}")`)}` },
  { ...load, name: 'font', script: (url) => `new FontFace('x', ${q(`url("${url}")`)}).load().catch(() => 1)` },
  { ...load, name: 'script', script: (url) => element('script', `e.src = ${q(url)}`) },
  { ...load, name: 'module', script: (url) => `import(${q(url)}).catch(() => 1)` },
  { ...load, name: 'video', script: (url) => element('video', `e.preload = 'auto'; e.src = ${q(url)}`) },
  {
    ...load,
    name: 'text track',
    script: (url) =>
      element(
        'video',
        `const t = document.createElement('track'); t.default = true; t.src = ${q(url)}; e.append(t); e.textTracks[0].mode = 'showing'`,
      ),
  },
  { ...load, name: 'prefetch', script: (url) => link('prefetch', url) },
  { ...load, name: 'preload', script: (url) => link('preload', url, "e.as = 'image'") },
  {
    ...load,
    name: 'preload by a Link header',
    drive: (driver, url) => driver.navigate(`${driver.site.shop}/link-header?${encodeURIComponent(url)}`),
  },
  { ...load, name: 'modulepreload', script: (url) => link('modulepreload', url) },
  { ...load, name: 'icon', script: (url) => link('icon', url) },
  {
    ...load,
    name: 'manifest',
    drive: async (driver: ChannelDriver, url: string): Promise<void> => {
      await driver.evaluate(link('manifest', url));
      await driver.call('Page.getAppManifest');
    },
  },
  {
    ...load,
    name: 'SVG use',
    script: (url) => `document.body.insertAdjacentHTML('beforeend', ${q(`<svg><use href="${url}#x"/></svg>`)})`,
  },
  {
    ...load,
    name: 'audio worklet',
    script: (url) => `new AudioContext().audioWorklet.addModule(${q(url)}).catch(() => 1)`,
  },
  { ...load, name: 'compression dictionary', script: (url) => link('compression-dictionary', url), takesMs: 3_000 },
  { ...shut, name: 'speculation rules: prefetch', script: (url) => rules('prefetch', url) },
  { ...shut, name: 'speculation rules: prerender', script: (url) => rules('prerender', url) },
  { ...shut, name: 'prerender link', script: (url) => link('prerender', url) },
  {
    ...load,
    name: 'CSP report',
    method: 'POST',
    drive: (driver, url) => driver.navigate(`${driver.site.shop}/csp?${encodeURIComponent(url)}`),
  },
];
