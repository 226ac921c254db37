import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { importsSharedData, sourceFiles } from './shared-data-tests.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The tests that compare with the reference data of ../shared, as they run in a clone that has none: they must be
 * skipped, not fail, and vitest fails a file that is left without a test. None of them starts a browser then.
 */
export default defineConfig({
  root,
  test: {
    include: sourceFiles(root).filter((path) => importsSharedData(readFileSync(join(root, path), 'utf8'))),
    env: { CLAWBENCH_SHARED: '/nonexistent/shared' },
    silent: true,
    isolate: false,
  },
});
