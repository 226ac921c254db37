import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Reference data that is not part of this repository: upstream's recorded cases (`conformance/`) and the public task
 * corpora (`corpora/`). Tests that compare with it are skipped where it is missing. Every test takes its place from
 * here, so that `npm test` can run them a second time without it.
 */
const root = resolve(import.meta.dirname, '..');
export const SHARED_DATA = resolve(root, process.env['CLAWBENCH_SHARED'] ?? '../shared');

/** Folder of the recorded cases, one JSON file per group. It need not exist. */
export const CASE_FILES = join(SHARED_DATA, 'conformance');
export const hasCaseFiles = existsSync(CASE_FILES);

/** Folder of the public corpora, one folder per suite. It need not exist. */
export const CORPORA = join(SHARED_DATA, 'corpora');

export const hasCorpus = (name: string): boolean => existsSync(join(CORPORA, name));

/** The recorded cases refer to the corpora; null where there are none. */
export const corporaOrNull = existsSync(CORPORA) ? CORPORA : null;

if (!hasCaseFiles || corporaOrNull === null) {
  console.log(
    `notice: ${SHARED_DATA} is missing or incomplete; tests that compare with it are skipped (CLAWBENCH_SHARED sets its path)`,
  );
}
