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
    artifacts: { s3: { prefix: string; bucket: string; endpoint: string; secretRef: { name: string } } };
    [field: string]: unknown;
  };
}

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
  change(batch);
  return batch;
}
