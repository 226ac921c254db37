import { setTimeout as sleep } from 'node:timers/promises';
import type { ClawBenchBatchStatus } from '../../crds/status/batch-status.ts';
import { kubectl } from '../bed/commands.ts';

interface BatchView {
  readonly status?: ClawBenchBatchStatus;
}

/** One line of progress; the same text twice is printed once. */
function progressLine(name: string, status: ClawBenchBatchStatus | undefined): string {
  const counts = status?.counts;
  if (counts === undefined) return `${name}: ${status?.phase ?? 'Pending'}`;
  const parts = [`${counts.finished}/${counts.total} done`, `${counts.running} running`, `${counts.pending} starting`];
  if (counts.judging > 0) parts.push(`${counts.judging} with the judge`);
  if (counts.infrastructure > 0) parts.push(`${counts.infrastructure} infrastructure failures`);
  return `${name}: ${status?.phase ?? 'Pending'}, ${parts.join(', ')}, ${counts.passed} passed`;
}

function condition(
  status: ClawBenchBatchStatus | undefined,
  type: string,
): { status: string; message?: string } | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

/**
 * Follows a batch to its end and prints what changes.
 * @throws Error with the batch's own sentence when it is not accepted for a minute, or when it takes too long.
 */
export async function watchBatch(namespace: string, name: string, limitMs: number): Promise<ClawBenchBatchStatus> {
  const started = Date.now();
  let said = '';
  let refusedSince: number | null = null;
  for (;;) {
    const batch = JSON.parse(
      await kubectl(['-n', namespace, 'get', 'clawbenchbatch', name, '-o', 'json']),
    ) as BatchView;
    const line = progressLine(name, batch.status);
    const seconds = Math.round((Date.now() - started) / 1000);
    if (line !== said) console.error(`  ${String(seconds).padStart(4)} s  ${line}`);
    said = line;
    if (condition(batch.status, 'Complete')?.status === 'True' && batch.status !== undefined) return batch.status;
    const accepted = condition(batch.status, 'Accepted');
    refusedSince = accepted?.status === 'False' ? (refusedSince ?? Date.now()) : null;
    if (refusedSince !== null && Date.now() - refusedSince > 60_000)
      throw new Error(`batch ${name} is not accepted: ${accepted?.message ?? ''}`);
    if (Date.now() - started > limitMs)
      throw new Error(`batch ${name} did not end within ${Math.round(limitMs / 60_000)} minutes: ${line}`);
    await sleep(1000);
  }
}
