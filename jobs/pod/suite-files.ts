import { SUITE_DIR } from '../../benchmark/protocol/pod-paths.ts';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { readMountedSuite } from '../../store/mounted-suite.ts';
import { readSuiteOfBucket } from '../../store/stored-suite.ts';
import type { JobConfig } from './job-config.ts';

/**
 * The batch's suite, from where its spec says that it lies.
 * @throws Error with code `ENOENT` when nothing is mounted; what {@link readSuiteOfBucket} throws.
 */
export function suiteFiles({ spec }: Pick<JobConfig, 'spec'>): Promise<readonly SuiteFile[]> {
  if (spec.suite.s3 === undefined) return readMountedSuite(process.env['CLAWBENCH_SUITE_DIR'] ?? SUITE_DIR);
  const { secretRef: _secret, ...bucket } = spec.artifacts.s3;
  return readSuiteOfBucket(bucket, spec.suite.s3.prefix);
}
