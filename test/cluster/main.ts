import { loadArchive } from './load-archive.ts';
import { clusterHealth, stateOf } from './health.ts';
import { ensureBinaries } from './binaries.ts';
import { down, up } from './lifecycle.ts';
import { clusterPlaces } from './places.ts';
import { say } from './progress.ts';
import { s3Endpoint } from './s3.ts';

const USAGE = 'usage: npm run cluster -- up | down [--purge] | status | load IMAGE… | env';

/** A value as a POSIX shell reads it back. */
export function shellQuoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function runUp(): Promise<number> {
  const places = await up();
  say(`Ready. KUBECONFIG=${places.kubeconfig}`);
  say('For kubectl and helm of the right version: eval "$(npm run -s cluster -- env)"');
  return 0;
}

async function runStatus(): Promise<number> {
  const places = clusterPlaces();
  const parts = await clusterHealth(places);
  for (const { part, ok, detail } of parts) print(`${ok ? 'ok     ' : 'problem'}  ${part.padEnd(24)} ${detail}`);
  const { state } = stateOf(parts);
  print(`The cluster is ${state}. Data: ${places.dir}, logs: ${places.logs}, S3 credentials: ${places.s3Credentials}`);
  if (state !== 'up') print('Remedy: npm run cluster -- up');
  return state === 'up' ? 0 : 1;
}

async function runEnv(): Promise<number> {
  const places = clusterPlaces();
  print(`export KUBECONFIG=${shellQuoted(places.kubeconfig)}`);
  print(`export CLAWBENCH_S3_ENDPOINT=${shellQuoted(s3Endpoint())}`);
  print(`export CLAWBENCH_S3_CREDENTIALS=${shellQuoted(places.s3Credentials)}`);
  print(`export PATH=${shellQuoted(await ensureBinaries())}:"$PATH"`);
  return 0;
}

async function runLoad(tags: string[]): Promise<number> {
  if (tags.length === 0) throw new Error(`Nothing to load. ${USAGE}`);
  for (const tag of tags) print(await loadArchive(tag));
  return 0;
}

async function main(verb: string | undefined, rest: string[]): Promise<number> {
  if (verb === 'up') return runUp();
  if (verb === 'status') return runStatus();
  if (verb === 'env') return runEnv();
  if (verb === 'load') return runLoad(rest);
  if (verb === 'down') {
    await down(rest.includes('--purge'));
    return 0;
  }
  say(USAGE);
  return 2;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv[2], process.argv.slice(3));
  } catch (error) {
    say((error as Error).message);
    process.exitCode = 1;
  }
}
