import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SUITE_ARCHIVE } from '../benchmark/protocol/pod-paths.ts';
import type { SuiteFile } from '../benchmark/task/suite.ts';
import { readSuiteArchive } from './suite-archive.ts';

/**
 * Reads the suite from the volume of a Pod: the archive or, for an inline task, plain task files. Names with a leading dot
 * belong to the kubelet.
 * @throws Error with code `ENOENT` when there is neither; SuiteArchiveError
 */
export async function readMountedSuite(directory: string): Promise<readonly SuiteFile[]> {
  try {
    return await readSuiteArchive(await readFile(join(directory, SUITE_ARCHIVE)));
  } catch (error) {
    const plain = isMissing(error) ? await taskFiles(directory) : [];
    if (plain.length === 0) throw error;
    return Promise.all(plain.map(async (path) => ({ path, bytes: await readFile(join(directory, path)) })));
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function taskFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
}
