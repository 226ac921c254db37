import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';

/** The Pod's programs as kubelet starts them, without the command line around them. */
const ROOT = join(import.meta.dirname, '../../..');
let dir: string;
let child: ChildProcess | undefined;
let log: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'restart-'));
  for (const name of ['run', 'task', 'my-info', 'suite', 'evidence', 'recording', 'harness-data', 'tmp', 'store'])
    mkdirSync(join(dir, name));
  log = '';
});
afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill('SIGKILL');
    await new Promise((resolve) => child?.once('exit', resolve));
  }
  rmSync(dir, { recursive: true });
});

const run = {
  namespace: 'bench',
  run: 'r1',
  runUID: 'u1',
  batch: 'b1',
  batchUID: 'bu1',
  attempt: 3,
  suite: 's',
  caseName: 'absent',
  taskSha256: null,
  model: 'm',
  harness: 'null',
  repetition: 1,
  runPrefix: 'm/batch-b1/m/r1',
};

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

async function startRecorder(): Promise<number> {
  const port = await freePort();
  const config = { ...run, artifacts: { kind: 'directory', path: join(dir, 'store') } };
  child = spawn(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'sidecar/main.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      CLAWBENCH_RUN: JSON.stringify(config),
      CLAWBENCH_RUN_DIR: join(dir, 'run'),
      CLAWBENCH_TASK_DIR: join(dir, 'task'),
      CLAWBENCH_MY_INFO_DIR: join(dir, 'my-info'),
      CLAWBENCH_SUITE_DIR: join(dir, 'suite'),
      CLAWBENCH_EVIDENCE_DIR: join(dir, 'evidence'),
      CLAWBENCH_RECORDING_DIR: join(dir, 'recording'),
      CLAWBENCH_HARNESS_DATA_DIR: join(dir, 'harness-data'),
      CLAWBENCH_TERMINATION_LOG: join(dir, 'termination-log'),
      CLAWBENCH_CONTROL_PORT: String(port),
      CLAWBENCH_DEVTOOLS_PORT: '0',
      CLAWBENCH_PROGRESS_PORT: '0',
      CLAWBENCH_PROGRESS_HOST: '127.0.0.1',
    },
  });
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return port;
}

const exit = (): Promise<number | null> => new Promise((resolve) => child?.once('exit', resolve));
const message = (): unknown => outcomeMessage.parse(JSON.parse(readFileSync(join(dir, 'termination-log'), 'utf8')));

describe('a recorder', () => {
  it('that fails before a harness can exist exits with its outcome, since no other program would report it', async () => {
    await startRecorder();
    expect(await exit()).toBe(0);
    expect(message()).toMatchObject({
      outcome: 'Infrastructure',
      reason: 'TaskMismatch',
      attempt: 3,
      prefix: 'm/batch-b1/m/r1/a3-u1/',
    });
    expect(existsSync(join(dir, 'run/recorder.started'))).toBe(true);
  });

  it('that was restarted starts nothing, and reports to the shim that the attempt is over', async () => {
    writeFileSync(join(dir, 'run/recorder.started'), '');
    const port = await startRecorder();
    await expect.poll(() => log, { timeout: 60_000 }).toContain('recorder restarted');
    const ask = (path: string, method = 'GET'): Promise<Response> =>
      fetch(`http://127.0.0.1:${String(port)}${path}`, { method });
    // Node's fetch sends sec-fetch-mode as a page does, but neither of the two headers that are refused.
    const armed = await ask('/api/armed');
    expect(armed.status).toBe(503);
    expect(await armed.json()).toMatchObject({ armed: false, ended: true });
    expect((await ask('/api/agent/started', 'POST')).status).toBe(409);
    expect(await (await ask('/api/agent/wait')).json()).toMatchObject({ stop: true, reason: 'RecorderRestarted' });
    expect(await (await ask('/api/finalise', 'POST')).json()).toMatchObject({
      reason: 'RecorderRestarted',
      attempt: 3,
    });
    expect(message()).toMatchObject({ outcome: 'Infrastructure', reason: 'RecorderRestarted' });
    expect(existsSync(join(dir, 'run/recorder.restarted'))).toBe(true);
    expect(existsSync(join(dir, 'run/recorder.ready'))).toBe(false);
    child?.kill('SIGTERM');
    expect(await exit()).toBe(0);
  });
});

describe('a browser container', () => {
  function startScript(env: Record<string, string> = {}): void {
    child = spawn(join(ROOT, 'images/browser/clawbench-browser'), [], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        CLAWBENCH_RUN_DIR: join(dir, 'run'),
        CLAWBENCH_RECORDING_DIR: join(dir, 'recording'),
        CLAWBENCH_BROWSER_TMP: join(dir, 'tmp'),
        CLAWBENCH_HEADLESS: '1',
        ...env,
      },
    });
    child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  }

  it('that was restarted parks, logs it, still serves the recording, and exits on SIGTERM', async () => {
    writeFileSync(join(dir, 'run/browser.started'), '');
    startScript();
    await expect.poll(() => existsSync(join(dir, 'run/browser.restarted')), { timeout: 30_000 }).toBe(true);
    writeFileSync(join(dir, 'run/recording.stop'), '');
    await expect.poll(() => existsSync(join(dir, 'run/recording.stopped')), { timeout: 30_000 }).toBe(true);
    expect(readFileSync(join(dir, 'run/recording.stopped'), 'utf8')).toBe('disabled');
    expect(child?.exitCode).toBeNull();
    child?.kill('SIGTERM');
    expect(await exit()).toBe(0);
  });

  it('on a node without user namespaces reports the reason and the remedy, and starts no browser', async () => {
    const bin = join(dir, 'bin');
    mkdirSync(bin);
    // The script's own folder is first on its PATH: it is copied beside an `unshare` that fails as on such nodes.
    for (const name of [
      'clawbench-browser',
      'clawbench-profile',
      'clawbench-namespace',
      'clawbench-network',
      'clawbench-chromium',
      'chromium-flags',
    ])
      writeFileSync(join(bin, name), readFileSync(join(ROOT, 'images/browser', name)), { mode: 0o755 });
    writeFileSync(join(bin, 'unshare'), '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2\nexit 1\n', {
      mode: 0o755,
    });
    writeFileSync(join(dir, 'run/recorder.ready'), '');
    child = spawn(join(bin, 'clawbench-browser'), [], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        CLAWBENCH_RUN_DIR: join(dir, 'run'),
        CLAWBENCH_RECORDING_DIR: join(dir, 'recording'),
        CLAWBENCH_BROWSER_TMP: join(dir, 'tmp'),
        CLAWBENCH_HEADLESS: '1',
      },
    });
    await expect.poll(() => existsSync(join(dir, 'run/browser.error')), { timeout: 30_000 }).toBe(true);
    const error = JSON.parse(readFileSync(join(dir, 'run/browser.error'), 'utf8')) as {
      reason: string;
      message: string;
    };
    expect(error.reason).toBe('IsolationUnavailable');
    expect(error.message).toContain('seccomp');
    expect(existsSync(join(dir, 'tmp/profile'))).toBe(false);
  });
});
