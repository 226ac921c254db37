import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ended, scratchFolder } from '../browser/capture/screen.ts';
import { createBenchSide, type BenchSide } from './bench-side.ts';

const VERSION = '0.9.2';
/** The version that its image installs. */
const SERVER_NEEDS = ['fastapi==0.136.1', 'uvicorn==0.46.0', 'websocket-client==1.9.0', 'websockets'];
const VENV = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'clawbench', `upstream-${VERSION}`);
const CHROMIUM = process.env['CLAWBENCH_CHROMIUM'] ?? '/usr/lib/chromium/chromium';
const run = promisify(execFile);

/**
 * The runtime server of PyPI's `clawbench-eval`, as its container runs it: uvicorn with one worker
 * and a browser on its DevTools port, with every layer except video. Only the path of its schema file, which is fixed at the
 * root of the file system, is changed.
 */
export async function upstreamSide(site: { readonly port: number }): Promise<BenchSide> {
  const server = await ensureServer();
  const scratch = await scratchFolder('upstream');
  const [cdpPort, apiPort] = [19_222, 17_878].map((port) => port + (process.pid % 700));
  const browser = startBrowser(scratch.path, cdpPort ?? 0, site.port);
  const cdp = `http://127.0.0.1:${String(cdpPort)}`;
  await until(() => fetch(`${cdp}/json/version`).then((reply) => reply.ok));
  const runtime = await startServer(server, scratch.path, { cdp, apiPort: apiPort ?? 0 });
  await until(async () => {
    const reply = await fetch(`http://127.0.0.1:${String(apiPort)}/api/status`);
    return ((await reply.json()) as { eval_interceptor_ready: boolean }).eval_interceptor_ready;
  });
  return createBenchSide(
    'upstream',
    cdp,
    () => [runtime.pid ?? 0],
    async () => {
      await ended(runtime, 'SIGKILL');
      await ended(browser, 'SIGKILL');
      await scratch.remove();
    },
  );
}

/** The folder of `server.py`, installed on first use. */
async function ensureServer(): Promise<string> {
  const python = join(VENV, 'bin', 'python');
  if (!existsSync(python)) await run('python3', ['-m', 'venv', VENV]);
  const ready = await run(python, ['-c', 'import clawbench, fastapi, uvicorn, websocket']).then(
    () => true,
    () => false,
  );
  if (!ready) await run(python, ['-m', 'pip', 'install', '-q', `clawbench-eval==${VERSION}`, ...SERVER_NEEDS]);
  const [folder] = globSync(join(VENV, 'lib/python*/site-packages/clawbench/runtime/runtime-server'));
  if (folder === undefined) throw new Error(`clawbench-eval ${VERSION} has no runtime server below ${VENV}`);
  return folder;
}

function startBrowser(folder: string, port: number, sitePort: number): ChildProcess {
  const flags = [
    ...['--headless=new', '--no-sandbox', '--no-first-run', '--disable-default-apps', '--disable-infobars'],
    ...['--disable-blink-features=AutomationControlled', '--use-gl=angle', '--use-angle=swiftshader'],
    ...['--enable-unsafe-swiftshader', '--password-store=basic', '--use-mock-keychain', '--disable-sync'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-quic'],
    '--disable-features=PasswordLeakDetection,PasswordManager',
    `--host-resolver-rules=MAP shop.test:80 127.0.0.1:${String(sitePort)}`,
    `--user-data-dir=${join(folder, 'profile')}`,
    `--remote-debugging-port=${String(port)}`,
    '--remote-allow-origins=*',
    'about:blank',
  ];
  return spawn(CHROMIUM, flags, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
}

async function startServer(
  folder: string,
  scratch: string,
  { cdp, apiPort }: { readonly cdp: string; readonly apiPort: number },
): Promise<ChildProcess> {
  const data = join(scratch, 'data');
  await mkdir(data);
  const schema = join(scratch, 'eval-schema.json');
  await writeFile(schema, JSON.stringify({ url_pattern: 'shop\\.test/api/order', method: 'POST' }));
  const start = [
    'import pathlib, sys, uvicorn, server',
    'server.EVAL_SCHEMA_PATH = pathlib.Path(sys.argv[1])',
    'uvicorn.run(server.app, host="127.0.0.1", port=int(sys.argv[2]))',
  ].join('\n');
  return spawn(join(VENV, 'bin', 'python'), ['-c', start, schema, String(apiPort)], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      CLAWBENCH_DATA_DIR: data,
      CLAWBENCH_BROWSER_CDP_URL: cdp,
      CLAWBENCH_RECORDING_MODE: 'disabled',
    },
  });
}

async function until(ready: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await ready().catch(() => false)) return;
    await sleep(100);
  }
  throw new Error("upstream's side did not start within 30 s");
}
