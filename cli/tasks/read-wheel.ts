import { unzipSync } from 'fflate';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SuiteFile } from '../../benchmark/task/suite.ts';

/** Names of upstream's suites. */
export const UPSTREAM_SUITES = ['v1', 'v2', 'v1-lite', 'claw-eval'] as const;
export type UpstreamSuite = (typeof UPSTREAM_SUITES)[number];

/** The published package whose task files are read. It is pinned, since other tasks mean other scores. */
export const UPSTREAM_PACKAGE = 'clawbench-eval==0.9.2';

/** The package cannot be downloaded or does not contain the suite. The message ends with the remedy. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** Downloads the wheel with pip into a temporary folder and returns its bytes. @throws ImportError */
export async function downloadWheel(): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'clawbench-import-'));
  try {
    await promisify(execFile)(
      'python3',
      ['-m', 'pip', 'download', UPSTREAM_PACKAGE, '--no-deps', '--quiet', '--dest', directory],
      {
        timeout: 120_000,
      },
    );
    const wheel = (await readdir(directory)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined)
      throw new ImportError(
        `pip did not download a wheel of ${UPSTREAM_PACKAGE}; download it yourself and use --from FILE`,
      );
    return await readFile(join(directory, wheel));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `cannot download ${UPSTREAM_PACKAGE} with pip; use --from with a wheel or a clone of upstream's repository`,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The files of one suite in a wheel. Only the files of the suite are unpacked.
 * @throws ImportError
 */
export function suiteFromWheel(wheel: Uint8Array, suite: UpstreamSuite): readonly SuiteFile[] {
  const marker = `/test-cases/${suite}/`;
  const wanted = (name: string): boolean => `/${name}`.includes(marker) && !name.endsWith('/');
  const entries = unzip(wheel, (file) => wanted(file.name) && file.originalSize < 8 * 1024 * 1024);
  const files = Object.entries(entries).map(([name, bytes]) => ({ path: `/${name}`.split(marker)[1] ?? name, bytes }));
  if (files.length === 0) throw new ImportError(`the package does not contain the suite ${suite}`);
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function unzip(
  wheel: Uint8Array,
  filter: (file: { name: string; originalSize: number }) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(wheel, { filter });
  } catch {
    throw new ImportError('the file given with --from is not a wheel (a zip archive)');
  }
}
