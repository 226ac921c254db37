import { setTimeout as sleep } from 'node:timers/promises';
import { type CdpClient, connectCdp, openPage, type Page } from '../browser/interception/cdp-client.ts';
import { cpuSeconds } from './process-cpu.ts';

/** One of the two systems under comparison, each pausing every request of its own browser: ours, or upstream's server. */
export interface BenchSide {
  readonly name: 'ours' | 'upstream';
  readonly page: (url: string) => Promise<Page>;
  /** CPU seconds so far of every process except the browser itself. */
  readonly cpu: () => number;
  readonly close: () => Promise<void>;
}

export async function createBenchSide(
  name: BenchSide['name'],
  cdp: string,
  pids: () => readonly number[],
  close: () => Promise<void>,
): Promise<BenchSide> {
  const reply = await fetch(`${cdp}/json/version`);
  const { webSocketDebuggerUrl } = (await reply.json()) as { webSocketDebuggerUrl: string };
  const client: CdpClient = await connectCdp(webSocketDebuggerUrl);
  return {
    name,
    page: (url) => openTrusting(client, url),
    cpu: () => cpuSeconds(pids()),
    close: async () => {
      client.close();
      await close();
    },
  };
}

/** Bench sites have self-made certificates. */
async function openTrusting(client: CdpClient, url: string): Promise<Page> {
  const page = await openPage(client, 'about:blank');
  const { error } = await client.call('Security.setIgnoreCertificateErrors', { ignore: true }, page.sessionId);
  if (error !== undefined) throw new Error(`the page cannot trust the site: ${error.message}`);
  await page.navigate(url);
  for (let tries = 0; tries < 100; tries++) {
    if ((await page.evaluate('document.readyState + " " + location.href')) === `complete ${url}`) return page;
    await sleep(50);
  }
  throw new Error(`${url} did not load`);
}

/** The quantile: the value below which `share` of the values are. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
