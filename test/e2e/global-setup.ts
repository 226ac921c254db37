import type { TestProject } from 'vitest/node';
import type { S3Keys } from '../e2e-cluster/namespace.ts';
import { openBed } from '../e2e-cluster/open-e2e-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Namespace of the bed. */
    bed: string;
    operatorNamespace: string;
    s3Keys: S3Keys;
    mailToken: string;
  }
}

const BED = 'clawbench-e2e';
const OPERATOR = 'clawbench-e2e-system';

/** One cluster, one chart and one bed for all suites of this project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bed = await openBed(BED, OPERATOR);
  project.provide('bed', BED);
  project.provide('operatorNamespace', OPERATOR);
  project.provide('s3Keys', bed.keys);
  project.provide('mailToken', bed.mailToken);
  return bed.close;
}
