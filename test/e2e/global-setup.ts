import type { TestProject } from 'vitest/node';
import type { S3Keys } from '../e2e-cluster/namespace.ts';
import { openE2eCluster } from '../e2e-cluster/open-e2e-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Namespace of the demo servers and of every batch. */
    namespace: string;
    operatorNamespace: string;
    s3Keys: S3Keys;
    mailToken: string;
  }
}

const NAMESPACE = 'clawbench-e2e';
const OPERATOR = 'clawbench-e2e-system';

/** One cluster and one release of the chart for all suites of this project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await openE2eCluster(NAMESPACE, OPERATOR);
  project.provide('namespace', NAMESPACE);
  project.provide('operatorNamespace', OPERATOR);
  project.provide('s3Keys', cluster.keys);
  project.provide('mailToken', cluster.mailToken);
  return cluster.close;
}
