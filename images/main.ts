import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { chartValues } from './chart-values.ts';
import { toRegistry } from './deliver.ts';
import { loadArchive } from '../test/cluster/load-archive.ts';
import { readArguments, runScript, UsageError } from '../test/cluster/command-line.ts';
import { REGISTRY } from '../test/cluster/places.ts';
import { pushImage } from '../test/cluster/push-image.ts';
import { buildImages, type BuiltImage } from './build.ts';
import { ALL_IMAGES, RELEASE_IMAGES } from './catalog.ts';

/**
 * `npm run images [-- NAME…]`: builds the container images and loads them into the embedded cluster if it is up;
 * with `--registry` it pushes them to that registry instead.
 * Prints one JSON object on stdout, also kept in `dist/images.json`: name → {image, size}, `image` being the reference
 * for Pods. Progress goes to stderr.
 */
interface Delivered {
  readonly image: string;
  readonly size: string;
}

async function clusterIsUp(): Promise<boolean> {
  return fetch(`http://${REGISTRY}/v2/`, { signal: AbortSignal.timeout(2000) }).then(
    (reply) => reply.ok,
    () => false,
  );
}

/** Big images as one archive, the others through the registry (see catalog.ts). */
async function deliver(image: BuiltImage, up: boolean): Promise<Delivered> {
  if (!up) return { image: image.tag, size: image.size };
  return { image: image.big ? await loadArchive(image.tag) : await pushImage(image.tag), size: image.size };
}

const USAGE = `npm run images [-- NAME…] [OPTIONS]
  NAME              ${ALL_IMAGES.join(', ')}; default: those of a release
  --registry PATH   push them to this registry (HOST[:PORT]/PATH) instead of the embedded cluster; log in with
                    "buildah login" first
  --values FILE     write chart values with these images, for "helm install -f FILE"`;

async function main(): Promise<number> {
  const { values, positionals } = readArguments(USAGE, {
    options: { registry: { type: 'string' }, values: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !ALL_IMAGES.includes(name));
  if (unknown.length > 0) throw new UsageError(`unknown image ${unknown.join(', ')}\n${USAGE}`);
  const names = positionals.length === 0 ? RELEASE_IMAGES : positionals;
  const missing = RELEASE_IMAGES.filter((name) => !names.includes(name));
  if (values.values !== undefined && missing.length > 0)
    throw new UsageError(`--values needs all images; missing: ${missing.join(', ')}`);
  const images = await deliverAll(await buildImages(names), values.registry);
  const text = JSON.stringify(images, null, 2);
  await writeFile(join(import.meta.dirname, '..', 'dist', 'images.json'), `${text}\n`);
  process.stdout.write(`${text}\n`);
  if (values.values !== undefined) await writeFile(values.values, valuesFile(images));
  return 0;
}

async function deliverAll(built: readonly BuiltImage[], registry?: string): Promise<Record<string, Delivered>> {
  const up = registry === undefined && (await clusterIsUp());
  if (registry === undefined && !up)
    process.stderr.write('the embedded cluster is not up; the images are built but not loaded into it\n');
  const push = registry === undefined ? null : toRegistry(registry);
  const images: Record<string, Delivered> = {};
  for (const image of built) {
    const kind = image.big ? 'big' : 'changing';
    images[image.name] =
      push === null ? await deliver(image, up) : { image: await push(image.tag, kind), size: image.size };
  }
  return images;
}

/** The chart's values that name these images. */
function valuesFile(images: Readonly<Record<string, Delivered>>): string {
  const references = Object.fromEntries(Object.entries(images).map(([name, { image }]) => [name, image]));
  const harnesses = RELEASE_IMAGES.flatMap((name) => /^harness-(.*)$/.exec(name)?.[1] ?? []);
  return stringify({ images: chartValues(references, harnesses, '')['images'] });
}

await runScript(main);
