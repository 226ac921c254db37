import { SUITE_DIR } from '../../benchmark/protocol/pod-paths.ts';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { readMountedSuite } from '../../store/mounted-suite.ts';
import { readSuiteOfBucket } from '../../store/stored-suite.ts';
import type { JobConfig } from './job-config.ts';

/**
 * The batch's suite, from the ConfigMap or bucket that its spec names.
 * @throws Error with code `ENOENT` when the ConfigMap is not mounted; whatever {@link readSuiteOfBucket} throws.
 */
export function suiteFiles({ spec }: Pick<JobConfig, 'spec'>): Promise<readonly SuiteFile[]> {
  if (spec.suite.s3 === undefined) return readMountedSuite(process.env['CLAWBENCH_SUITE_DIR'] ?? SUITE_DIR);
  const { secretRef: _secret, ...bucket } = spec.artifacts.s3;
  return readSuiteOfBucket(bucket, spec.suite.s3.prefix);
}
