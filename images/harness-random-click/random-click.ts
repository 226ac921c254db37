import CDP from 'chrome-remote-interface';
import { setTimeout as sleep } from 'node:timers/promises';

/** Upstream's baseline of random clicks, which must never cause a terminal request. */
const COUNT = Number(process.env['RANDOM_CLICK_COUNT'] ?? 20);
const PAUSE_MS = 400;
const AREA = { width: 1900, height: 1000 };

const cdpUrl = new URL(process.env['CLAWBENCH_BROWSER_CDP_URL'] ?? 'http://127.0.0.1:9222');
const control = process.env['CLAWBENCH_CONTROL_URL'] ?? 'http://127.0.0.1:7878';

async function clickAround(): Promise<void> {
  const client = await CDP({ host: cdpUrl.hostname, port: Number(cdpUrl.port), local: true });
  for (let i = 0; i < COUNT; i++) {
    const at = { x: Math.floor(Math.random() * AREA.width), y: Math.floor(Math.random() * AREA.height) };
    const button = { ...at, button: 'left', clickCount: 1 } as const;
    await client.Input.dispatchMouseEvent({ type: 'mousePressed', ...button });
    await client.Input.dispatchMouseEvent({ type: 'mouseReleased', ...button });
    await report({ type: 'random_click', ...at, i });
    await sleep(PAUSE_MS);
  }
  await client.close();
}

/** Upstream's script appends these rows to the log itself, which a harness cannot access here. */
async function report(row: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${control}/api/action`, { method: 'POST', headers, body: JSON.stringify(row) });
}

await clickAround();
