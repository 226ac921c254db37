import { type SuiteFile, suiteNotFound } from '../../benchmark/task/suite.ts';
import { SuiteArchiveError } from '../../store/suite-archive.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { suiteFiles } from '../pod/suite-files.ts';
import { storeRefusal } from './check-store.ts';
import { BatchRefusal } from './refusal.ts';

/** The suite's files. @throws BatchRefusal that names the field when the suite is missing or cannot be read. */
export async function readSuiteFiles(job: JobConfig): Promise<readonly SuiteFile[]> {
  const { s3, configMapRef } = job.spec.suite;
  try {
    return await suiteFiles(job);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new BatchRefusal('SuiteNotFound', suiteNotFound(configMapRef?.name ?? '', job.namespace));
    if (error instanceof SuiteArchiveError)
      throw new BatchRefusal('SuiteInvalid', sentence(error, s3, configMapRef?.name));
    throw s3 === undefined ? error : storeRefusal(job, error);
  }
}

function sentence(error: Error, s3: { prefix: string } | undefined, configMap = ''): string {
  if (s3 !== undefined) return `spec.suite.s3.prefix: ${error.message}; create it with "clawbench tasks push --s3"`;
  return `spec.suite.configMapRef: ConfigMap ${configMap}: ${error.message}`;
}
