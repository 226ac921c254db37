import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outputs } from './outputs.ts';

/** `npm run generate`: writes the files that are generated from the schemas. */
if (process.argv.length > 2) {
  const asked = process.argv.slice(2).join(' ');
  console[asked === '--help' ? 'log' : 'error'](
    `${asked === '--help' ? '' : `unknown arguments: ${asked}\n`}Usage: npm run generate\n\nWrites the files that are generated from the schemas in crds/.`,
  );
  process.exit(asked === '--help' ? 0 : 2);
}
const root = join(import.meta.dirname, '..');
for (const [path, content] of outputs()) {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  console.log(path);
}
