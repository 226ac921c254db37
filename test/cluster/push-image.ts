import { refuseWithoutCluster, REGISTRY } from './places.ts';
import { step } from './progress.ts';
import { run } from './run-command.ts';

/** `localhost/NAME:TAG` → the reference that pods use for the copy in the local registry. */
export function registryReference(tag: string): string {
  const name = tag.startsWith('localhost/') ? tag.slice('localhost/'.length) : tag;
  return `${REGISTRY}/${name}`;
}

/**
 * Pushes an image from buildah's store to the cluster's registry. For images that change often: only changed layers
 * travel (about 1 s for a new JavaScript bundle); a big new image is slower than `loadArchive`, by gzip.
 * @returns the reference for pods, `127.0.0.1:15000/NAME:TAG`
 * @throws {CommandFailed} when the cluster isn't up or the image doesn't exist
 */
export async function pushImage(tag: string): Promise<string> {
  refuseWithoutCluster();
  const reference = registryReference(tag);
  if (await isThere(reference)) return reference;
  await step(`pushing ${reference}`, () =>
    run('buildah', ['push', '--tls-verify=false', tag, `docker://${reference}`], { limitMs: 900_000 }),
  );
  return reference;
}

/** A tag that is a hash of the content: the registry cannot have another image under it. */
const CONTENT_TAG = /:[0-9a-f]{12,64}$/;

async function isThere(reference: string): Promise<boolean> {
  if (!CONTENT_TAG.test(reference)) return false;
  const [, name = '', tag = ''] = /^[^/]+\/(.+):([^:]+)$/.exec(reference) ?? [];
  const accept = 'application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json';
  const reply = await fetch(`http://${REGISTRY}/v2/${name}/manifests/${tag}`, { method: 'HEAD', headers: { accept } });
  return reply.ok;
}
