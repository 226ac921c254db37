import { readArguments, runScript, UsageError } from './command-line.ts';
import { loadArchive } from './load-archive.ts';
import { clusterHealth, stateOf } from './health.ts';
import { ensureBinaries } from './binaries.ts';
import { down, up } from './lifecycle.ts';
import { clusterPlaces } from './places.ts';
import { say } from './progress.ts';
import { s3Endpoint } from './s3.ts';

const USAGE = `npm run cluster -- VERB
  up               a one-node Kubernetes on this machine (Linux, root, Go 1.26); at once when it is there and well
  status           what runs, and where its data, logs and keys are
  env              shell lines: eval "$(npm run -s cluster -- env)"
  load IMAGE…      brings images of buildah's store to the node
  down [--purge]   ends it and undoes its changes; --purge deletes keys, images and logs too`;

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
  if (tags.length === 0) throw new UsageError(`Nothing to load.\n${USAGE}`);
  for (const tag of tags) print(await loadArchive(tag));
  return 0;
}

const VERBS: Readonly<Record<string, (rest: string[]) => Promise<number>>> = {
  up: runUp,
  status: runStatus,
  env: runEnv,
  load: runLoad,
};

async function main(): Promise<number> {
  const options = { purge: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readArguments(USAGE, { options, allowPositionals: true });
  const [verb = '', ...rest] = positionals;
  if (values.purge && verb !== 'down') throw new UsageError(`--purge belongs to down\n${USAGE}`);
  if (rest.length > 0 && verb !== 'load') throw new UsageError(`${rest.join(' ')}: not understood\n${USAGE}`);
  if (verb === 'down') {
    await down(values.purge);
    return 0;
  }
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run === undefined) throw new UsageError(`usage: ${USAGE}`);
  return run(rest);
}

if (import.meta.main) await runScript(main);
