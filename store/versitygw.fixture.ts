import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Location } from '../benchmark/protocol/run-config.ts';

/** A real S3 server on loopback, for tests. */
export interface S3Server {
  readonly location: S3Location;
  readonly env: Record<string, string>;
  /** Kills the server and keeps the data, like an outage. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The binary in the cache of the embedded cluster, or `VERSITYGW`; null if there is none. */
export function findVersitygw(): string | null {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const candidates = [
    process.env.VERSITYGW ?? '',
    ...globSync(join(cache, 'clawbench*', '**', 'versitygw')),
    join(tmpdir(), 'kubebin', 'versitygw'),
  ];
  return candidates.find((path) => path !== '' && existsSync(path)) ?? null;
}

/** Starts the server with one bucket, `traces`. */
export async function startS3Server(binary: string): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-server-'));
  await mkdir(join(directory, 'traces'));
  const port = await freePort();
  const env = { AWS_ACCESS_KEY_ID: 'test-access', AWS_SECRET_ACCESS_KEY: 'test-secret-key' };
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn(binary, ['--port', `127.0.0.1:${port}`, 'posix', directory], {
      env: {
        PATH: process.env.PATH ?? '',
        ROOT_ACCESS_KEY: env.AWS_ACCESS_KEY_ID,
        ROOT_SECRET_KEY: env.AWS_SECRET_ACCESS_KEY,
      },
      stdio: 'ignore',
    });
    await untilAnswers(port);
  };
  const stop = async (): Promise<void> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    location: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'traces',
      prefix: 'nightly',
      region: 'us-east-1',
      forcePathStyle: true,
    },
    env,
    start,
    stop,
    close: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilAnswers(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(100);
  }
  throw new Error(`the S3 server did not answer on port ${port} within 10 s`);
}
