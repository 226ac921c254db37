import CDP from 'chrome-remote-interface';
import { setTimeout as sleep } from 'node:timers/promises';

/** A floor: upstream's baseline of random clicks, which must never reach a terminal request by itself. */
const COUNT = Number(process.env['RANDOM_CLICK_COUNT'] ?? 20);
const PAUSE_MS = 400;
const AREA = { width: 1900, height: 1000 };

const door = new URL(process.env['CLAWBENCH_BROWSER_CDP_URL'] ?? 'http://127.0.0.1:9222');
const control = process.env['CLAWBENCH_CONTROL_URL'] ?? 'http://127.0.0.1:7878';

async function clickAround(): Promise<void> {
  const client = await CDP({ host: door.hostname, port: Number(door.port), local: true });
  for (let i = 0; i < COUNT; i++) {
    const at = { x: Math.floor(Math.random() * AREA.width), y: Math.floor(Math.random() * AREA.height) };
    const button = { ...at, button: 'left', clickCount: 1 } as const;
    await client.Input.dispatchMouseEvent({ type: 'mousePressed', ...button });
    await client.Input.dispatchMouseEvent({ type: 'mouseReleased', ...button });
    await tell({ type: 'random_click', ...at, i });
    await sleep(PAUSE_MS);
  }
  await client.close();
}

/** Upstream's script appends these rows to the log itself; here the log is out of a harness's reach. */
async function tell(row: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${control}/api/action`, { method: 'POST', headers, body: JSON.stringify(row) });
}

await clickAround();
