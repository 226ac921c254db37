import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EvidenceWriter } from '../../../sidecar/contracts.ts';

const CHROMIUM = process.env['CLAWBENCH_CHROMIUM'] ?? '/usr/lib/chromium/chromium';

export interface Browser {
  /** For the agent's DevTools client. */
  readonly http: string;
  /** For capture: the same endpoint through a unix socket, as in the Pod. */
  readonly endpoint: string;
  readonly process: ChildProcess;
  readonly close: () => Promise<void>;
}

/** Headless Chromium on loopback, its DevTools port also behind a unix socket. Without a guard: only capture is tested. */
export async function startBrowser(): Promise<Browser> {
  const directory = await mkdtemp(join(tmpdir(), 'capture-'));
  const profile = join(directory, 'profile');
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--site-per-process',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const child = spawn(CHROMIUM, flags, { stdio: 'ignore', detached: true });
  const [port, path] = await devToolsPort(join(profile, 'DevToolsActivePort'));
  const socket = join(directory, 'cdp.sock');
  const forwarder = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  forwarder.listen(socket);
  await once(forwarder, 'listening');
  return {
    http: `http://127.0.0.1:${String(port)}`,
    endpoint: `ws+unix://${socket}:${path}`,
    process: child,
    close: async () => {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      if (ended && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
      forwarder.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function devToolsPort(file: string): Promise<[number, string]> {
  for (let tries = 0; tries < 200; tries++) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const [port, path] = text.trim().split('\n');
    if (port !== undefined && path !== undefined) return [Number(port), path];
    await sleep(100);
  }
  throw new Error('Chromium did not open its DevTools port within 20 s');
}

export interface PageSite {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** A site with these pages, by path; `PORT` in them is replaced by its port. `localhost` and `127.0.0.1` are two sites to the browser. */
export async function startPageSite(pages: Readonly<Record<string, string>>): Promise<PageSite> {
  const server = createHttpServer((request, response) => {
    const page = pages[(request.url ?? '').split('?')[0] ?? ''];
    const { port } = server.address() as AddressInfo;
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page?.replaceAll('PORT', String(port)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Row {
  readonly type: string;
  readonly timestamp: number;
  readonly url: string;
  readonly title?: string;
  readonly key?: string;
  readonly value?: string;
  readonly x?: number;
  readonly target?: { tagName: string; id: string; className: string; textContent: string; xpath: string };
}

/** Evidence that keeps in memory what capture writes. */
export interface Kept extends EvidenceWriter {
  readonly rows: Row[];
  readonly pictures: { timestamp: number; png: Uint8Array; at: number }[];
}

export function keepInMemory(): Kept {
  const rows: Row[] = [];
  const pictures: Kept['pictures'] = [];
  const unused = (): never => {
    throw new Error('capture has no business here');
  };
  return {
    rows,
    pictures,
    action: (row) => void rows.push(row as unknown as Row),
    screenshot: (timestamp, png) => void pictures.push({ timestamp, png, at: Date.now() }),
    request: unused,
    interception: unused,
    addSecret: unused,
    redact: unused,
    finalise: unused,
    flush: unused,
    close: unused,
    counts: { actions: 0, requests: 0, screenshots: 0, bytes: 0 },
  };
}

/** Waits until `find` returns a value. @throws after fifteen seconds, naming `what`. */
export async function waitForValue<T>(what: string, find: () => T | undefined | false): Promise<T> {
  for (let tries = 0; tries < 750; tries++) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
  throw new Error(`not seen within 15 s: ${what}`);
}
