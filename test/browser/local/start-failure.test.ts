import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const RECORDER = join(import.meta.dirname, '../../../sidecar/main.ts');

const run = (extra: Record<string, unknown>): string =>
  JSON.stringify({
    namespace: 'n',
    run: 'r',
    runUID: 'u',
    batch: 'b',
    batchUID: 'bu',
    attempt: 1,
    suite: 's',
    caseName: 'c',
    taskSha256: null,
    model: 'm',
    harness: 'h',
    repetition: 1,
    runPrefix: 'r',
    artifacts: { kind: 'directory', path: mkdtempSync(join(tmpdir(), 'start-failure-')) },
    ...extra,
  });

async function exitOf(env: Record<string, string>): Promise<unknown> {
  const dir = mkdtempSync(join(tmpdir(), 'start-failure-'));
  const dirs = Object.fromEntries(
    ['RUN', 'RECORDING', 'EVIDENCE', 'SUITE', 'TASK', 'MY_INFO', 'HARNESS_DATA'].map((name) => [
      `CLAWBENCH_${name}_DIR`,
      dir,
    ]),
  );
  const child = spawn(process.execPath, [RECORDER], {
    env: { ...process.env, ...dirs, CLAWBENCH_TERMINATION_LOG: join(dir, 'termination'), ...env },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

it('exits instead of hanging when the control port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(await exitOf({ CLAWBENCH_RUN: run({}), CLAWBENCH_CONTROL_PORT: String(port) })).toBe(1);
  } finally {
    server.close();
  }
}, 20_000);

it('exits when its configuration cannot be read', async () => {
  expect(await exitOf({ CLAWBENCH_RUN: '{"namespace":1}' })).toBe(1);
}, 20_000);
