import { q, type Channel } from './channel.ts';

/** What the browser itself, not the page, would send: Fetch does not pause it, so each channel must be closed. */
const leave = async (driver: Parameters<NonNullable<Channel['drive']>>[0], url: string): Promise<void> => {
  await driver.navigate(url);
  await driver.pause(300);
  await driver.closePage();
};
const shutPost = { method: 'POST', matched: 'shut' } as const;
const shutGet = { method: 'GET', matched: 'shut' } as const;

export const BROWSER_SERVICES: readonly Channel[] = [
  {
    ...shutPost,
    name: 'Reporting API',
    drive: (driver, url) => leave(driver, `${driver.site.shop}/reporting?${encodeURIComponent(url)}`),
  },
  {
    ...shutPost,
    name: 'network error logging',
    drive: (driver, url) => leave(driver, `${driver.site.shop}/nel?${encodeURIComponent(url)}`),
  },
  {
    ...shutPost,
    name: 'device bound session',
    drive: (driver, url) =>
      leave(driver, `${driver.site.shop}/bound-session?${encodeURIComponent(new URL(url).pathname)}`),
  },
  {
    ...shutGet,
    name: 'FedCM',
    script: (url) =>
      `navigator.credentials.get({ identity: { providers: [{ configURL: ${q(url)}, clientId: '1' }] } }).catch(() => 1)`,
  },
  {
    ...shutGet,
    name: 'payment method manifest',
    takesMs: 1_500,
    script: (url) =>
      `void (async () => { const r = new PaymentRequest([{ supportedMethods: ${q(url)} }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } });
        await r.canMakePayment().catch(() => 1); r.show().catch(() => 1); })().catch(() => 1)`,
  },
  {
    ...shutGet,
    name: 'WebTransport',
    script: (url) => `void (window.t = new WebTransport(${q(url)}), t.ready.catch(() => 1), t.closed.catch(() => 1))`,
  },
  {
    ...shutGet,
    name: 'shared storage worklet',
    script: (url) => `globalThis.sharedStorage?.worklet.addModule(${q(url)}).catch(() => 1)`,
  },
  {
    ...shutGet,
    name: 'attribution source',
    script: (url) =>
      `{ const e = document.createElement('img'); e.attributionSrc = ${q(url)}; document.body.append(e); 1 }`,
  },
  {
    ...shutGet,
    name: 'interest group',
    script: (url) =>
      `(async () => { await navigator.joinAdInterestGroup?.({ owner: location.origin, name: 'x', updateURL: ${q(url)}, biddingLogicURL: ${q(url)} }, 1000); navigator.updateAdInterestGroups?.(); })().catch(() => 1)`,
  },
];
