import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outputs } from './outputs.ts';

/** `npm run generate`: writes the files that follow from the schemas. */
const root = join(import.meta.dirname, '..');
for (const [path, content] of outputs()) {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  console.log(path);
}
