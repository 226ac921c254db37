import { Counter, Registry } from 'prom-client';

/** The recorder's own series. Run, task and URL are no labels: the Pod's labels say which run it is. */
export interface RecorderMetrics {
  readonly registry: Registry;
  evidenceBytes(total: number): void;
  escaped(): void;
  uploadRetried(): void;
}

export function createMetrics(): RecorderMetrics {
  const registry = new Registry();
  const registers = [registry];
  const bytes = new Counter({ name: 'clawbench_evidence_bytes_total', help: 'Bytes of evidence written.', registers });
  const escapes = new Counter({
    name: 'clawbench_interception_escapes_total',
    help: 'Responses from a target without a paused request.',
    registers,
  });
  const retries = new Counter({
    name: 'clawbench_upload_retries_total',
    help: 'Uploads of evidence that failed and were tried again.',
    registers,
  });
  let seen = 0;
  return {
    registry,
    evidenceBytes: (total) => {
      if (total <= seen) return;
      bytes.inc(total - seen);
      seen = total;
    },
    escaped: () => {
      escapes.inc();
    },
    uploadRetried: () => {
      retries.inc();
    },
  };
}
