import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyManifest, type ManifestReport } from '../../store/verify-manifest.ts';
import { openBundleFile, resolveInside } from './confined-files.ts';
import { openConfinedStore } from './confined-store.ts';
import { findRuns } from './find-runs.ts';
import { isLoopbackHost } from '../../sidecar/local-caller.ts';
import { messagePage } from './page.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { renderIndex } from './render-index.ts';
import { renderRun } from './render-run.ts';
import { readRunView } from './run-view.ts';
import { sendFile } from './send-file.ts';
import { ICON, STYLE } from './style.ts';

/**
 * Serves the evidence in a folder on loopback, read-only. Bundles contain whatever an agent and the sites it visited put
 * into them, so none of it may run as a script, and no other page may read it.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

export interface ViewServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * @param directory the folder with bundles
 * @param port 0 for any free port
 * @throws Error when the folder does not exist or the port cannot be used
 */
export async function startViewServer(directory: string, port: number): Promise<ViewServer> {
  const root = await realpath(directory).catch(() => null);
  if (root === null || !(await stat(root)).isDirectory())
    throw new Error(`${directory} is not a folder; use a folder with bundles`);
  const site: Site = { root, directory, check: oneAtATime((path) => checkBundle(root, path)) };
  const server = createServer((request, response) => {
    answer(site, request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portProblem(error, port)));
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new Error(`port ${port} is in use; use a different --port, or omit it`);
  if (error.code === 'EACCES') return new Error(`port ${port} requires root; use a --port above 1023, or omit it`);
  return error;
}

interface Site {
  readonly root: string;
  readonly directory: string;
  readonly check: (path: string) => Promise<ManifestReport>;
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  if (!isLoopbackHost(request.headers.host))
    return send(response, 403, 'text', 'This server only accepts requests to localhost.\n');
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET');
    return send(response, 405, 'text', 'Only GET is supported.\n');
  }
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const asset = Object.hasOwn(ASSETS, path) ? ASSETS[path] : undefined;
  if (asset !== undefined) return send(response, 200, ...asset);
  if (path === '/') return sendIndex(site, new URLSearchParams(query), response);
  return answerInFolder(site, path, request, response);
}

const ASSETS: Readonly<Record<string, readonly [keyof typeof TYPES, string]>> = {
  '/style.css': ['css', STYLE],
  '/app.js': ['js', PAGE_SCRIPT],
  '/icon.svg': ['svg', ICON],
};

/** Answers `/run/…`, `/check/…` and `/file/…`, which are followed by a path inside the folder. */
async function answerInFolder(
  site: Site,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, kind = '', encoded = ''] = /^\/(run|file|check)\/(.*)$/s.exec(path) ?? [];
  const relative = decodePath(encoded);
  if (kind === '' || relative === null) return notFound(response);
  if (kind === 'run') return sendRun(site, relative, response);
  if (kind === 'check') return sendCheck(site, relative, response);
  const file = await openBundleFile(site.root, relative);
  return file === null ? notFound(response) : sendFile(file, relative, request, response);
}

async function sendIndex(site: Site, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const filter = { outcome: query.get('outcome') ?? '', harness: query.get('harness') ?? '' };
  send(response, 200, 'html', renderIndex(site.directory, await findRuns(site.root), filter));
}

async function sendRun(site: Site, path: string, response: ServerResponse): Promise<void> {
  const view = await readRunView(site.root, path);
  if (view === null) return notFound(response);
  send(response, 200, 'html', renderRun(view));
}

async function sendCheck(site: Site, path: string, response: ServerResponse): Promise<void> {
  if ((await resolveInside(site.root, path)) === null) return notFound(response);
  send(response, 200, 'json', JSON.stringify(await site.check(path)));
}

/** A check reads a whole bundle. Several at the same time would only be slower and need memory for several videos. */
function oneAtATime<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (argument) => {
    const next = last.then(() => work(argument));
    last = next.catch(() => undefined);
    return next;
  };
}

async function checkBundle(root: string, path: string): Promise<ManifestReport> {
  try {
    const report = await verifyManifest(openConfinedStore(root), path === '' ? '' : `${path}/`);
    return { ...report, problems: report.problems.slice(0, 100) };
  } catch (error) {
    return { ok: false, problems: [(error as Error).message], files: 0, bytes: 0, sha256: null };
  }
}

/** Inverse of {@link pageAddress}; null if the path was not encoded by it. */
function decodePath(encoded: string): string | null {
  try {
    const names = encoded.replace(/\/$/, '').split('/').map(decodeURIComponent);
    return names.some((name) => name.includes('/')) ? null : names.join('/');
  } catch {
    return null;
  }
}

function notFound(response: ServerResponse): void {
  send(response, 404, 'html', messagePage('Not found', 'The folder does not contain this run or file.'));
}

function send(response: ServerResponse, status: number, type: keyof typeof TYPES, body: string): void {
  response.writeHead(status, { 'content-type': TYPES[type] }).end(body);
}

/** Reports an error in the response, or closes the connection if the response has started. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else send(response, 500, 'text', `${error instanceof Error ? error.message : String(error)}\n`);
}
