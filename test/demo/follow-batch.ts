import { setTimeout as sleep } from 'node:timers/promises';
import { countOf } from '../../benchmark/text/count-of.ts';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { kubectl } from '../e2e-cluster/commands.ts';

interface BatchView {
  readonly status?: ClawBenchBatchStatus;
}

/** One line of progress; the same text twice is printed once. */
function progressLine(name: string, status: ClawBenchBatchStatus | undefined): string {
  const counts = status?.counts;
  if (counts === undefined) return `${name}: ${status?.phase ?? 'Pending'}`;
  const parts = [`${counts.finished}/${counts.total} done`, `${counts.running} running`, `${counts.pending} starting`];
  if (counts.judging > 0) parts.push(`${counts.judging} with the judge`);
  if (counts.infrastructure > 0) parts.push(countOf(counts.infrastructure, 'infrastructure failure'));
  return `${name}: ${status?.phase ?? 'Pending'}, ${parts.join(', ')}, ${counts.passed} passed`;
}

function condition(
  status: ClawBenchBatchStatus | undefined,
  type: string,
): { status: string; message?: string } | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

/** A refusal that lasts this long will not go away by itself (`prepare` is tried again while GitOps applies the rest). */
const REFUSED_MS = 60_000;

/**
 * Follows a batch until it is complete and prints each change of its progress.
 * @throws Error with the batch's own sentence when it is not accepted for a minute, or when it takes too long.
 */
export async function followBatch(namespace: string, name: string, limitMs: number): Promise<ClawBenchBatchStatus> {
  const started = Date.now();
  let said = '';
  let acceptedAt = started;
  for (;;) {
    const { status } = JSON.parse(
      await kubectl(['-n', namespace, 'get', 'clawbenchbatch', name, '-o', 'json']),
    ) as BatchView;
    const elapsed = Date.now() - started;
    const line = progressLine(name, status);
    if (line !== said) console.error(`  ${String(Math.round(elapsed / 1000)).padStart(4)} s  ${line}`);
    said = line;
    if (status !== undefined && condition(status, 'Complete')?.status === 'True') return status;
    const refusal = refusalOf(status);
    if (refusal === null) acceptedAt = Date.now();
    if (Date.now() - acceptedAt > REFUSED_MS) throw new Error(`batch ${name} is not accepted: ${refusal}`);
    if (elapsed > limitMs)
      throw new Error(`batch ${name} did not complete within ${Math.round(limitMs / 60_000)} minutes: ${line}`);
    await sleep(1000);
  }
}

/** The sentence of `Accepted=False`, or null. */
function refusalOf(status: ClawBenchBatchStatus | undefined): string | null {
  const accepted = condition(status, 'Accepted');
  return accepted?.status === 'False' ? (accepted.message ?? '') : null;
}
