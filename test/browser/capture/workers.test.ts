import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCapture } from '../../../sidecar/capture/start.ts';
import type { Capture } from '../../../sidecar/contracts.ts';
import { connectCdp, openPage, type CdpClient } from '../interception/cdp-client.ts';
import { type Browser, keepInMemory, type PageSite, startBrowser, startPageSite } from './fixtures.ts';

/**
 * With `waitForDebuggerOnStart`, a page's workers wait at their start until the DevTools client resumes them. The client here
 * is a minimal one: Playwright and Puppeteer would resume them in capture's place.
 */
const SAYS = `postMessage('ran')`;
const announced = (worker: string): string =>
  `new Promise((done) => { const w = window.kept = ${worker}; w.onmessage = ({ data }) => done(data); })`;
const blob = (source: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' }))`;
const WORKER = announced(`new Worker(${blob(SAYS)})`);
const NESTED = `const w = new Worker(${blob(SAYS)}); w.onmessage = ({ data }) => postMessage(data);`;
const PROCESSOR = `registerProcessor('p', class extends AudioWorkletProcessor { process() { return true; } })`;

const STARTED: Readonly<Record<string, string>> = {
  'a worker': WORKER,
  'a module worker': announced(`new Worker(${blob(SAYS)}, { type: 'module' })`),
  'a worker of a worker': announced(`new Worker(${blob(NESTED)})`),
  'a shared worker': `new Promise((done) => {
    const w = window.kept = new SharedWorker(${blob(`onconnect = ({ ports }) => ports[0].postMessage('ran')`)});
    w.port.onmessage = ({ data }) => done(data); })`,
  'a worker of a cross-site frame': `new Promise((done) => {
    onmessage = ({ data }) => done(data);
    const frame = document.createElement('iframe');
    frame.src = location.href.replace('127.0.0.1', 'localhost').replace('/start', '/frame');
    document.body.append(frame); })`,
  'an audio worklet': `(async () => { const context = new OfflineAudioContext(1, 128, 44100);
    await context.audioWorklet.addModule(${blob(PROCESSOR)});
    new AudioWorkletNode(context, 'p').connect(context.destination);
    await context.startRendering(); return 'ran'; })()`,
  'a paint worklet': `CSS.paintWorklet.addModule(${blob(`registerPaint('p', class { paint() {} })`)}).then(() => 'ran')`,
};

let browser: Browser;
let site: PageSite;
let cdp: CdpClient;
let capture: Capture;
beforeAll(async () => {
  site = await startPageSite({
    '/start': '<!doctype html><body>start</body>',
    '/frame': `<!doctype html><body><script>${WORKER}.then((data) => parent.postMessage(data, '*'));</script></body>`,
  });
  browser = await startBrowser();
  const log = pino({ level: 'silent' });
  const evidence = keepInMemory();
  capture = await startCapture({ endpoint: browser.endpoint, evidence, log, onAction: () => undefined });
  cdp = await connectCdp(browser.endpoint);
});
afterAll(async () => {
  await capture.stop();
  cdp.close();
  await browser.close();
  await site.close();
});

test.each(Object.entries(STARTED))('%s runs while capture is attached', async (_name, script) => {
  const page = await openPage(cdp, `http://127.0.0.1:${String(site.port)}/start`);
  const held = new Promise((resolve) => setTimeout(() => resolve('held'), 5_000));
  expect(await Promise.race([page.evaluate(script), held])).toBe('ran');
  await cdp.call('Target.closeTarget', { targetId: page.targetId });
});
