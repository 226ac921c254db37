import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import CDP from 'chrome-remote-interface';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendFile } from '../../../cli/view/send-file.ts';
import { startBrowser, type Browser } from './fixtures.ts';
import { indexRecording, recordingEnv, showMotion, startRecording, windowIsShown } from './record-screen.ts';
import { ended, openScreen, scratchFolder } from './screen.ts';

/** A recording in a browser's own player, served by the code with which `clawbench view` serves files. */

/** Duration of the three parts in milliseconds: an empty screen, a moving window, an empty screen. */
const PART_MS = 4_000;

interface Moments {
  /** Seconds since the first frame. */
  readonly windowFrom: number;
  readonly windowTo: number;
  readonly length: number;
}

let folder: Awaited<ReturnType<typeof scratchFolder>>;
let moments: Moments;
let server: Server;
let browser: Browser;
let client: CDP.Client;

async function recordThreeParts(path: string): Promise<Moments> {
  const screen = await openScreen();
  try {
    const env = await recordingEnv(screen, path);
    const recording = startRecording(env);
    const started = await firstFrame(join(path, 'recording.started'));
    const since = (): number => (Date.now() - started) / 1000;
    await sleep(PART_MS);
    const motion = showMotion(screen, '640x480', 30);
    await windowIsShown(screen);
    const windowFrom = since();
    await sleep(PART_MS);
    await ended(motion, 'SIGKILL');
    const windowTo = since();
    await sleep(PART_MS);
    const length = since();
    await ended(recording, 'SIGINT');
    await indexRecording(env);
    return { windowFrom, windowTo, length };
  } finally {
    await screen.close();
  }
}

async function firstFrame(file: string): Promise<number> {
  for (let left = 200; left > 0; left--) {
    try {
      return Number(readFileSync(file, 'utf8'));
    } catch {
      await sleep(50);
    }
  }
  throw new Error('the recording did not begin within 10 s');
}

/** A page with the player and one function: seeks, and returns the mean brightness (0 to 255) of the picture. */
const PAGE = `<!doctype html><video id="v" src="/FILE" preload="metadata" muted></video><script>
const v = document.getElementById('v');
const once = (name) => new Promise((resolve, reject) => {
  v.addEventListener(name, resolve, { once: true });
  v.addEventListener('error', () => reject(new Error(String(v.error && v.error.message))), { once: true });
});
const ready = v.readyState >= 1 ? Promise.resolve() : once('loadedmetadata');
async function brightness(seconds) {
  await ready;
  const sought = once('seeked');
  v.currentTime = seconds;
  await sought;
  const canvas = document.createElement('canvas');
  canvas.width = 192; canvas.height = 108;
  const picture = canvas.getContext('2d');
  picture.drawImage(v, 0, 0, 192, 108);
  const { data } = picture.getImageData(0, 0, 192, 108);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum += data[i] + data[i + 1] + data[i + 2];
  return sum / (data.length / 4) / 3;
}
</script>`;

beforeAll(async () => {
  folder = await scratchFolder('player');
  moments = await recordThreeParts(folder.path);
  server = createServer((request, response) => {
    const name = /^\/(recording(?:\.indexed)?\.mp4)$/.exec(request.url ?? '')?.[1];
    if (name !== undefined) {
      const path = join(folder.path, name);
      // A player that seeks aborts its earlier requests.
      const sent = open(path).then((file) => sendFile(file, path, request, response));
      sent.catch(() => response.destroy());
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(PAGE.replace('FILE', new URL(request.url ?? '/', 'http://x').searchParams.get('file') ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await startBrowser();
  client = await CDP({ host: '127.0.0.1', port: Number(new URL(browser.http).port), local: true });
  await client.Page.enable();
}, 90_000);

afterAll(async () => {
  await client.close();
  await browser.close();
  server.closeAllConnections();
  server.close();
  await folder.remove();
});

async function inPage<T>(expression: string): Promise<T> {
  const { result, exceptionDetails } = await client.Runtime.evaluate({
    expression,
    awaitPromise: true,
    returnByValue: true,
    timeout: 20_000,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

async function openPlayer(file: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const loaded = client.Page.loadEventFired();
  await client.Page.navigate({ url: `http://127.0.0.1:${String(port)}/?file=${file}` });
  await loaded;
}

describe('a closed recording in a browser', () => {
  it('has its true duration before it is played', async () => {
    await openPlayer('recording.indexed.mp4');
    const duration = await inPage<number>('ready.then(() => v.duration)');
    expect(Math.abs(duration - moments.length)).toBeLessThan(2);
  });

  it('shows what was on the screen at the time that it seeks, forwards and backwards', async () => {
    await openPlayer('recording.indexed.mp4');
    const { windowFrom, windowTo, length } = moments;
    const before = PART_MS / 2000;
    const during = (windowFrom + windowTo) / 2 + 0.8;
    const after = Math.min((windowTo + length) / 2 + 0.5, length - 0.5);
    for (const [moment, bright] of [
      [during, true],
      [before, false],
      [after, false],
      [during, true],
    ] as const) {
      const seen = await inPage<number>(`brightness(${String(moment)})`);
      if (bright) expect(seen, `at ${moment.toFixed(1)} s`).toBeGreaterThan(5);
      else expect(seen, `at ${moment.toFixed(1)} s`).toBeLessThan(1);
    }
  });
});

describe('the live file of a run that was killed', () => {
  it('plays in a browser and can be sought within what was uploaded', async () => {
    await openPlayer('recording.mp4');
    const { windowFrom, windowTo } = moments;
    expect(await inPage<number>(`brightness(${String((windowFrom + windowTo) / 2 + 0.8)})`)).toBeGreaterThan(5);
    expect(await inPage<number>(`brightness(${String(PART_MS / 2000)})`)).toBeLessThan(1);
  });
});
