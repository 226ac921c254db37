import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { batchSpec, type ClawBenchBatchSpecInput } from '../../crds/batch.ts';
import { API_VERSION, BATCH_KIND } from '../../crds/group.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { Live } from '../../kube/object.ts';

/** A row of the task list as `prepare` writes it. */
export function aTask(name: string): TaskRow {
  return {
    case: name,
    taskId: 1,
    sha256: 'a'.repeat(64),
    metaclass: 'travel',
    class: 'flights',
    group: 'Travel',
    site: 'shop.example.com',
    timeLimitSeconds: 1800,
    placeholder: false,
  };
}

/** A batch as the API server returns it, with defaults. */
export function aLiveBatch(change: Partial<ClawBenchBatchSpecInput> = {}): Live<Batch> {
  return {
    apiVersion: API_VERSION,
    kind: BATCH_KIND,
    metadata: {
      name: 'nightly',
      namespace: 'bench',
      uid: 'batch-uid',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: batchSpec.parse({
      suite: { name: 'v1-lite', configMapRef: { name: 'v1-lite' } },
      models: { names: ['m1'] },
      harnesses: [{ name: 'null' }],
      artifacts: {
        s3: { endpoint: 'http://s3.bench.svc:9000', bucket: 'traces', prefix: 'nightly', secretRef: { name: 's3' } },
      },
      ...change,
    }),
  };
}
