import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { readSuiteFolder } from './read-folder.ts';
import { downloadWheel, ImportError, suiteFromWheel, UPSTREAM_SUITES, type UpstreamSuite } from './read-wheel.ts';

/**
 * Files of one of upstream's suites, from its published package, a wheel, a clone or a folder of tasks.
 * @throws ImportError, SuiteFolderError
 */
export async function importSuite(suite: string, from?: string): Promise<readonly SuiteFile[]> {
  if (!isUpstreamSuite(suite))
    throw new ImportError(`unknown upstream suite ${suite}; use one of ${UPSTREAM_SUITES.join(', ')}`);
  if (from === undefined) return suiteFromWheel(await downloadWheel(), suite);
  const info = await stat(from).catch(() => {
    throw new ImportError(`--from ${from} does not exist`);
  });
  if (info.isDirectory()) return readSuiteFolder(await insideCheckout(from, suite));
  return suiteFromWheel(await readFile(from), suite);
}

/** The suite's folder in a clone or in its `test-cases`, or the given folder itself. */
async function insideCheckout(from: string, suite: string): Promise<string> {
  for (const path of [join(from, 'test-cases', suite), join(from, suite)]) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() === true) return path;
  }
  return from;
}

function isUpstreamSuite(name: string): name is UpstreamSuite {
  return (UPSTREAM_SUITES as readonly string[]).includes(name);
}
