import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadArchive } from '../test/cluster/load-archive.ts';
import { REGISTRY } from '../test/cluster/places.ts';
import { pushImage } from '../test/cluster/push-image.ts';
import { buildImages, type BuiltImage } from './build.ts';

/**
 * `npm run images [-- NAME…]`: builds the container images and, when the embedded cluster runs, brings them into it.
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

const names = process.argv.slice(2);
const built = await buildImages(...(names.length === 0 ? [] : [names]));
const up = await clusterIsUp();
if (!up) process.stderr.write('the embedded cluster is not up: images are built, and not brought into it\n');
const images: Record<string, Delivered> = {};
for (const image of built) images[image.name] = await deliver(image, up);
const text = JSON.stringify(images, null, 2);
await writeFile(join(import.meta.dirname, '..', 'dist', 'images.json'), `${text}\n`);
process.stdout.write(`${text}\n`);
