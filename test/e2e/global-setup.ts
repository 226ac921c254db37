import type { TestProject } from 'vitest/node';
import type { S3Keys } from '../e2e-cluster/namespace.ts';
import { openE2eCluster, type E2eCluster } from '../e2e-cluster/open-e2e-cluster.ts';

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

/** Vitest sets up each project in this process; they share one cluster, which the first of their teardowns closes. */
const shared = globalThis as { e2eCluster?: Promise<E2eCluster>; e2eClosed?: Promise<void> };

/** One cluster, one release of the chart and one set of demo servers for all suites. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await (shared.e2eCluster ??= openE2eCluster(NAMESPACE, OPERATOR));
  project.provide('namespace', NAMESPACE);
  project.provide('operatorNamespace', OPERATOR);
  project.provide('s3Keys', cluster.keys);
  project.provide('mailToken', cluster.mailToken);
  return () => (shared.e2eClosed ??= cluster.close());
}
