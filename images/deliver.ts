import { run } from '../test/cluster/run-command.ts';

/** References for Pods by image name. */
export type ImageReferences = Readonly<Record<string, string>>;
/** Brings an image from the local store to where the cluster's nodes find it; gives the reference for Pods. */
export type Deliver = (tag: string, kind: 'big' | 'changing') => Promise<string>;

/** Delivers to a registry that the cluster pulls from, which is how images reach a user's cluster. */
export function toRegistry(registry: string): Deliver {
  return async (tag) => {
    const reference = `${registry}/${tag.replace(/^localhost\//, '')}`;
    await run('buildah', ['push', tag, `docker://${reference}`], { limitMs: 15 * 60_000 });
    return reference;
  };
}
