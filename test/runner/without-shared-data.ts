import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { importsSharedData, sourceFiles } from './shared-data-tests.ts';

/**
 * `npm run test:without-shared-data`: the tests that compare with the reference data, as they run in a clone that has
 * none. They must be skipped there, not fail, and vitest fails a file that is left without a test.
 */
const root = join(import.meta.dirname, '..', '..');
const files = sourceFiles(root).filter((path) => importsSharedData(readFileSync(join(root, path), 'utf8')));
const { exitCode } = await runCommand(
  ['vitest', 'run', '--silent', '--project', 'unit', '--project', 'browser', ...files],
  { env: { CLAWBENCH_SHARED: '/nonexistent/shared' }, limitSeconds: 120 },
);
process.exitCode = exitCode;
