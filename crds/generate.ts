import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outputs } from './outputs.ts';

/** `npm run generate`: writes the files that follow from the schemas. */
if (process.argv.length > 2) {
  const asked = process.argv.slice(2).join(' ');
  console[asked === '--help' ? 'log' : 'error'](
    `${asked === '--help' ? '' : `${asked} is not understood.\n`}npm run generate: writes the files that follow from the schemas; it takes no options`,
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
