import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteFile } from '../../benchmark/task/suite.ts';

/** Every file below a folder, following symbolic links, as the list that `readSuite` expects. */
export function readFolder(root: string, below = ''): SuiteFile[] {
  return readdirSync(join(root, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    if (statSync(join(root, path)).isDirectory()) return readFolder(root, path);
    return [{ path, bytes: new Uint8Array(readFileSync(join(root, path))) }];
  });
}
