import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterPlaces, CONTAINERD_SOCKET, refuseWithoutCluster } from './places.ts';
import { step } from './progress.ts';
import { run } from './run-command.ts';

const ID_LABEL = 'claw-bench.com/image-id';

/** `ctr` on the cluster's containerd, in the namespace that kubelet uses. */
export function ctr(args: readonly string[], limitMs = 60_000): Promise<string> {
  return run('ctr', ['-a', CONTAINERD_SOCKET, '-n', 'k8s.io', ...args], { limitMs });
}

/** The buildah image ID that an image in `ctr images ls` was loaded from, if it was loaded by this tool. */
export function loadedId(listing: string, tag: string): string | undefined {
  const line = listing.split('\n').find((row) => row.startsWith(`${tag} `));
  return line
    ?.split(/[\s,]+/)
    .find((word) => word.startsWith(`${ID_LABEL}=`))
    ?.slice(ID_LABEL.length + 1);
}

/**
 * Brings an image from buildah's store into the cluster's containerd as one archive: the quickest way for big, rare
 * images (1.7 GB: 51 s; the whole image travels each time). Does nothing when the same content is there already.
 * @returns the reference for pods, which is the tag itself (use `imagePullPolicy: IfNotPresent`)
 * @throws {CommandFailed} when the cluster isn't up or the image doesn't exist
 */
export async function loadArchive(tag: string, labels: Record<string, string> = {}): Promise<string> {
  refuseWithoutCluster();
  const id = (await run('buildah', ['inspect', '--type', 'image', '--format', '{{.FromImageID}}', tag])).trim();
  if (loadedId(await ctr(['images', 'ls', `name==${tag}`]), tag) === id) return tag;
  const { scratch } = clusterPlaces();
  await mkdir(scratch, { recursive: true });
  const dir = await mkdtemp(join(scratch, 'archive-'));
  const archive = join(dir, 'image.tar');
  try {
    await step(`loading ${tag} into the cluster`, async () => {
      await run('buildah', ['push', tag, `docker-archive:${archive}:${tag}`], { limitMs: 900_000 });
      await ctr(['images', 'import', archive], 900_000);
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  const all = { ...labels, [ID_LABEL]: id };
  await ctr(['images', 'label', tag, ...Object.entries(all).map(([name, value]) => `${name}=${value}`)]);
  return tag;
}
