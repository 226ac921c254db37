import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBinaries } from './binaries.ts';
import { isAlive, recordedProcess, startProcess } from './host-process.ts';
import { clusterPlaces, NODE_IP, S3_PORT, type Places } from './places.ts';
import { s3Answers } from './probes.ts';
import { waitUntil } from './wait-until.ts';

/** How to reach an S3 server of this cluster, from the host and from pods alike. */
export interface S3Access {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

type Keys = Pick<S3Access, 'accessKeyId' | 'secretAccessKey'>;

/** The cluster's S3 credentials: random, made once, readable by root alone. */
async function s3Keys(places: Places): Promise<Keys> {
  if (existsSync(places.s3Credentials)) return JSON.parse(await readFile(places.s3Credentials, 'utf8')) as Keys;
  const keys: Keys = { accessKeyId: randomBytes(10).toString('hex'), secretAccessKey: randomBytes(20).toString('hex') };
  await mkdir(places.dir, { recursive: true });
  await writeFile(places.s3Credentials, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

/** Where pods and host reach the S3 server on `port`. */
export function s3Endpoint(port: number = S3_PORT): string {
  return `http://${NODE_IP}:${port}`;
}

/** Endpoint and credentials of the S3 server on `port`; whether it runs is `status`'s question. */
export async function s3Access(port: number = S3_PORT): Promise<S3Access> {
  return { endpoint: s3Endpoint(port), region: 'us-east-1', ...(await s3Keys(clusterPlaces())) };
}

export interface S3Options {
  /** Where the objects are files; default below the cluster's directory, where `down` deletes it. */
  dir?: string;
  port?: number;
}

function processName(port: number): string {
  return port === S3_PORT ? 's3' : `s3-${port}`;
}

/**
 * Starts an S3 server (versitygw) as a host process on the pods' gateway address; one that already runs on that port
 * is left alone. `up` starts one on the default port; `down` ends them all. Needs the cluster's bridge, so `up` first.
 * Its limit: a key that is also a folder of another (`a` and `a/1`) is refused with 409, since objects are files.
 */
export async function startS3(options: S3Options = {}): Promise<S3Access> {
  const places = clusterPlaces();
  const port = options.port ?? S3_PORT;
  const dir = options.dir ?? places.s3;
  const access = await s3Access(port);
  const running = await recordedProcess(processName(port));
  if (running !== undefined && isAlive(running)) return access;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const s3 = await startProcess(
    {
      name: processName(port),
      program: join(await ensureBinaries(), 'versitygw'),
      args: ['--port', `${NODE_IP}:${port}`, '--region', access.region, '--quiet', 'posix', dir],
      env: { ROOT_ACCESS_KEY: access.accessKeyId, ROOT_SECRET_KEY: access.secretAccessKey },
    },
    places.logs,
  );
  await waitUntil({ what: `S3 on port ${port}`, limitMs: 20_000, watched: { s3 } }, () => s3Answers(port));
  return access;
}
