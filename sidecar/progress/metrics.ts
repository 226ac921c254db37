import { Counter, Registry } from 'prom-client';

/** The recorder's own metrics. Run, task and URL are not labels: the Pod's labels identify the run. */
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
    help: 'Uploads of evidence that failed and were retried.',
    registers,
  });
  let counted = 0;
  return {
    registry,
    evidenceBytes: (total) => {
      if (total <= counted) return;
      bytes.inc(total - counted);
      counted = total;
    },
    escaped: () => {
      escapes.inc();
    },
    uploadRetried: () => {
      retries.inc();
    },
  };
}
