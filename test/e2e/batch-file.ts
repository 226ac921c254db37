import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The demo's batch, which tests change as they need it. */
export interface BatchDocument {
  metadata: { name: string; namespace: string };
  spec: {
    suite: { name: string; configMapRef: { name: string }; select?: Record<string, unknown> };
    models: { secretRef?: { name: string; key: string }; names: string[] };
    harnesses: { name: string; image?: string; references?: { name: string } }[];
    judge: { modelsSecretRef: { name: string; key: string }; model: string };
    network: { map: { host: string; address: string }[] };
    podTemplate: { spec: { containers: { name: string; resources: Record<string, unknown> }[] } };
    artifacts: { s3: { prefix: string; bucket: string; endpoint: string; secretRef: { name: string } } };
    [field: string]: unknown;
  };
}

/**
 * Requests of CPU that let the Pods of several suites run side by side on two cores: most of them wait most of the time.
 * With the operator's own, four fill the node.
 */
const SMALL_REQUESTS = ['recorder', 'browser', 'harness'].map((name) => ({
  name,
  resources: { requests: { cpu: '40m' } },
}));

/** A batch in the e2e namespace under a prefix of its own. */
export function aBatch(
  namespace: string,
  name: string,
  change: (batch: BatchDocument) => void = () => undefined,
): BatchDocument {
  const text = readFileSync(join(import.meta.dirname, '../../test-cases/demo/batch.yaml'), 'utf8');
  const batch = parse(text.replaceAll('clawbench-demo', namespace)) as BatchDocument;
  batch.metadata.name = name;
  batch.spec.artifacts.s3.prefix = name;
  batch.spec.podTemplate = { spec: { containers: SMALL_REQUESTS } };
  change(batch);
  return batch;
}
