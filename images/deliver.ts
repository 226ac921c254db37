import { buildImages } from './build.ts';
import { run } from '../test/cluster/run-command.ts';

/** References for Pods by image name. */
export type ImageReferences = Readonly<Record<string, string>>;
/** Brings an image from the local store to where the cluster's nodes find it; gives the reference for Pods. */
export type Deliver = (tag: string, kind: 'big' | 'changing') => Promise<string>;

/** Builds what has changed and delivers all of it; without `names` what a release has. */
export async function ensureImages(deliver: Deliver, names?: readonly string[]): Promise<ImageReferences> {
  const references: Record<string, string> = {};
  for (const image of await buildImages(names))
    references[image.name] = await deliver(image.tag, image.big ? 'big' : 'changing');
  return references;
}

/** Delivers to a registry that the cluster pulls from, which is how images reach a user's cluster. */
export function toRegistry(registry: string): Deliver {
  return async (tag) => {
    const reference = `${registry}/${tag.replace(/^localhost\//, '')}`;
    await run('buildah', ['push', tag, `docker://${reference}`], { limitMs: 15 * 60_000 });
    return reference;
  };
}
