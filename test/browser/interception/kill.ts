import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectCdp, openPage } from './cdp-client.ts';
import { startFixtureSite, type FixtureSite } from './fixture-site.ts';
import { startArmedRecorder } from './start-recorder.ts';

/**
 * Kills the recorder while requests are held: it is stopped, so that it answers no pause; pages send; it is killed. Half of
 * the requests come from a browser context that bypasses the proxy setting. A request that the site then sees is a leak.
 */
export interface KillResult {
  readonly held: number;
  readonly leaked: readonly string[];
  /** The longest time from a kill to the browser's exit, in milliseconds. */
  readonly slowestEndMs: number;
}

export interface KillOptions {
  readonly kills: number;
  /** Requests held at each kill. */
  readonly requests: number;
  readonly onRound?: (round: number) => void;
}

export async function killRecorder(options: KillOptions): Promise<KillResult> {
  const site = await startFixtureSite();
  let slowestEndMs = 0;
  try {
    for (let round = 0; round < options.kills; round += 1) {
      slowestEndMs = Math.max(slowestEndMs, await killOnce(site, round, options.requests));
      options.onRound?.(round + 1);
    }
    // A request on its way would have arrived by now.
    await sleep(1_000);
    return {
      held: options.kills * options.requests,
      leaked: site.at('/held').map(({ method, path }) => `${method} ${path}`),
      slowestEndMs,
    };
  } finally {
    await site.close();
  }
}

async function killOnce(site: FixtureSite, round: number, requests: number): Promise<number> {
  const { recorder, browser, endpoint, end } = await startArmedRecorder(site.port);
  try {
    const cdp = await connectCdp(endpoint);
    const page = await openPage(cdp, `http://127.0.0.1:${site.port}/start-${round}`);
    const direct = await cdp.call('Target.createBrowserContext', { proxyServer: 'direct://' });
    const around = await openPage(cdp, 'about:blank', String(direct.result?.['browserContextId']));
    if (site.at(`/start-${round}`).length === 0) throw new Error('the page did not load: nothing would be proven');
    recorder.kill('SIGSTOP');
    const half = Math.ceil(requests / 2);
    for (const [sender, count] of [[page, half] as const, [around, requests - half] as const])
      if ((await sender.evaluate(sendMany(site.port, round, count))) !== count) throw new Error('not all were sent');
    await sleep(150);
    const gone = once(browser.process, 'exit');
    const killed = Date.now();
    recorder.kill('SIGKILL');
    await gone;
    return Date.now() - killed;
  } finally {
    await end();
  }
}

/** By fetch and beacon, and every tenth by a form into a frame. */
function sendMany(port: number, round: number, count: number): string {
  return `(() => {
    for (let n = 0; n < ${count}; n += 1) {
      const url = 'http://127.0.0.1:${port}/held-${round}-' + n;
      if (n % 10 === 9) {
        document.body.insertAdjacentHTML('beforeend', '<iframe name=f' + n + '></iframe><form method=POST target=f' + n + ' action=' + url + '></form>');
        document.forms[document.forms.length - 1].submit();
      } else if (n % 2) navigator.sendBeacon(url, 'x');
      else void fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' });
    }
    return ${count};
  })()`;
}
