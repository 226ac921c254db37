import { openDirectoryStore } from '../../store/directory.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { readFirst } from '../../store/read-first-bytes.ts';
import { openInside, resolveInside } from './confined-files.ts';

/** Maximum number of bytes that a check reads, against manifests that name a large file a million times. */
const MAX_TOTAL = 16 * 1024 ** 3;

/**
 * DIR as a store for the check of a manifest. The directory store trusts its folder, but this folder is untrusted: links
 * to the outside, pipes and devices count as missing.
 */
export function openConfinedStore(root: string): ObjectStore {
  const store = openDirectoryStore(root);
  let total = 0;
  return {
    ...store,
    get: async (key, first) => {
      const file = await openInside(root, key);
      if (file === null) return null;
      try {
        total += Math.min((await file.stat()).size, first ?? Infinity);
        if (total > MAX_TOTAL)
          throw new RangeError('the check was aborted because the manifest lists more than 16 GiB');
        return first === undefined ? await file.readFile() : readFirst(file.fd, first);
      } finally {
        await file.close();
      }
    },
    list: async function* (prefix) {
      const folder = await resolveInside(root, prefix.replace(/\/$/, ''));
      if (folder !== null) yield* store.list(prefix);
    },
  };
}
