import { type CdpClient, connectCdp, openPage, type Page } from '../browser/interception/cdp-client.ts';
import { cpuSeconds } from './process-cpu.ts';

/** One of two systems that hold every request of a browser of their own: ours, or upstream's server. */
export interface Contender {
  readonly name: 'ours' | 'upstream';
  readonly page: (url: string) => Promise<Page>;
  /** CPU seconds so far of everything but the browser itself. */
  readonly cpu: () => number;
  readonly close: () => Promise<void>;
}

export async function contender(
  name: Contender['name'],
  cdp: string,
  pids: () => readonly number[],
  close: () => Promise<void>,
): Promise<Contender> {
  const reply = await fetch(`${cdp}/json/version`);
  const { webSocketDebuggerUrl } = (await reply.json()) as { webSocketDebuggerUrl: string };
  const client: CdpClient = await connectCdp(webSocketDebuggerUrl);
  return {
    name,
    page: (url) => openPage(client, url),
    cpu: () => cpuSeconds(pids()),
    close: async () => {
      client.close();
      await close();
    },
  };
}

/** The value below which `share` of them lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
