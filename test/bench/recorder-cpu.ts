import CDP from 'chrome-remote-interface';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordingEnv } from '../browser/capture/record-screen.ts';
import { ended, scratchFolder } from '../browser/capture/screen.ts';
import { type LocalEvent, makeWorkplace, startLocal } from '../browser/local/command.ts';
import { cpuSeconds, environmentOf, tree } from './process-cpu.ts';
import { type Scene, SCENES } from './recording-pages.ts';
import { compareQuality, type Quality, upstreamArguments } from './recording-quality.ts';

const SECONDS = 60;
const QUALITY_SECONDS = 12;

interface SceneResult {
  /** CPU seconds of grabber and ffmpeg, in the session with every layer on. */
  readonly recording: number;
  /** The same and the recorder process (interception, actions, pictures, uploads). */
  readonly allLayers: number;
  /** CPU seconds of ffmpeg with upstream's settings, beside it on the same screen. */
  readonly upstream: number;
  readonly ratio: number;
  readonly ratioAllLayers: number;
  readonly quality: { readonly ours: Quality; readonly upstream: Quality };
}

export interface RecorderCpu {
  readonly name: 'recorder-cpu';
  readonly seconds: number;
  readonly scenes: Readonly<Record<string, SceneResult>>;
  /** Mean CPU of both sessions, ours to upstream's. */
  readonly ratio: number;
  readonly ratioAllLayers: number;
  /** Whether the frames of every scene are at least as good as upstream's. */
  readonly ssimAtLeastUpstream: boolean;
}

/** Two sessions of a minute with every layer on; upstream's ffmpeg records the same screens at the same time. */
export async function recorderCpu(): Promise<RecorderCpu> {
  const scenes: Record<string, SceneResult> = {};
  for (const scene of SCENES) scenes[scene.name] = await measure(scene);
  const results = Object.values(scenes);
  const sum = (of: (result: SceneResult) => number): number => results.reduce((total, result) => total + of(result), 0);
  return {
    name: 'recorder-cpu',
    seconds: SECONDS,
    scenes,
    ratio: rounded(sum(({ recording }) => recording) / sum(({ upstream }) => upstream)),
    ratioAllLayers: rounded(sum(({ allLayers }) => allLayers) / sum(({ upstream }) => upstream)),
    ssimAtLeastUpstream: results.every(({ quality }) => quality.ours.ssim >= quality.upstream.ssim),
  };
}

async function measure(scene: Scene): Promise<SceneResult> {
  const site = await serve(scene.html);
  const place = makeWorkplace({ url_pattern: 'shop\\.test/api/order', method: 'POST' }, { time_limit: 30 });
  const scratch = await scratchFolder('recorder-cpu');
  const command = startLocal(['--task', place.task, '--out', place.out, '--map', `shop.test=127.0.0.1:${site.port}`]);
  try {
    const armed = await command.next('armed');
    const client = await openPage(armed, 'http://shop.test/');
    await sleep(3_000);
    const cpu = await measureCpu(command.process.pid ?? 0, armed, (second) => scene.act(client, second));
    const env = { ...(await recordingEnv({ display: cpu.display }, scratch.path)), DISPLAY: cpu.display };
    const quality = compareQuality(env, scratch.path, QUALITY_SECONDS);
    await everySecond(QUALITY_SECONDS, (second) => scene.act(client, second));
    return { ...cpu.result, quality: await quality };
  } finally {
    command.process.kill('SIGTERM');
    await command.exited;
    await site.close();
    await scratch.remove();
    place.remove();
  }
}

type Cpu = Omit<SceneResult, 'quality'>;

async function measureCpu(
  session: number,
  { pids }: LocalEvent,
  act: (second: number) => Promise<void>,
): Promise<{ readonly display: string; readonly result: Cpu }> {
  const all = tree(session);
  const grabber = all.find(({ name }) => name === 'clawbench-grab');
  if (grabber === undefined || pids === undefined) throw new Error('the session does not record by the grabber');
  const display = environmentOf(grabber.pid, 'DISPLAY');
  const recording = [grabber.pid, ...all.filter(({ parent }) => parent === grabber.pid).map(({ pid }) => pid)];
  const scratch = await scratchFolder('upstream');
  const upstream = spawn('ffmpeg', upstreamArguments(display, join(scratch.path, 'upstream.mp4')), { stdio: 'ignore' });
  try {
    await sleep(1_000);
    const counters = (): number[] => [recording, [pids.recorder], [upstream.pid ?? 0]].map(cpuSeconds);
    const before = counters();
    await everySecond(SECONDS, act);
    const [ours = NaN, recorder = NaN, theirs = NaN] = counters().map((value, i) => value - (before[i] ?? NaN));
    const result = {
      recording: rounded(ours),
      allLayers: rounded(ours + recorder),
      upstream: rounded(theirs),
      ratio: rounded(ours / theirs),
      ratioAllLayers: rounded((ours + recorder) / theirs),
    };
    return { display, result };
  } finally {
    await ended(upstream, 'SIGINT');
    await scratch.remove();
  }
}

/** Acts once a second; a slow action does not extend the total time. */
async function everySecond(seconds: number, act: (second: number) => Promise<void>): Promise<void> {
  const from = Date.now();
  for (let second = 0; Date.now() - from < seconds * 1000; second++) {
    await act(second);
    await sleep(Math.max(0, Math.min(from + (second + 1) * 1000, from + seconds * 1000) - Date.now()));
  }
}

async function openPage({ cdp = '' }: LocalEvent, url: string): Promise<CDP.Client> {
  const { hostname: host, port } = new URL(cdp);
  const client = await CDP({ host, port: Number(port), local: true });
  await client.Page.enable();
  // Subscribed first: a small page has loaded before the reply to `navigate`.
  const loaded = client.Page.loadEventFired();
  await client.Page.navigate({ url });
  await loaded;
  return client;
}

async function serve(html: string): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
