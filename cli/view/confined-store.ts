import { openDirectoryStore } from '../../store/directory.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { readFirst } from '../../store/read-first-bytes.ts';
import { openInside, resolveInside } from './confined-files.ts';

/** Most bytes that one check reads: a manifest that names a large file a million times ends here. */
const MAX_TOTAL = 16 * 1024 ** 3;

/**
 * DIR as a store to check a manifest over. The directory store trusts its folder; here the folder is the hostile side,
 * so links that leave it, pipes and devices are as good as missing.
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
        if (total > MAX_TOTAL) throw new RangeError('the manifest names more than 16 GiB; the check was given up');
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
