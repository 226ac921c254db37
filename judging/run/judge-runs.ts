import pLimit from 'p-limit';
import { ProviderError } from '../call/provider-error.ts';

/** What became of a list of runs. */
export interface JudgeRunsResult<R> {
  readonly done: readonly R[];
  /** Rows without a result: the provider failed for them, or the queue stopped before. */
  readonly open: number;
  /** Why the queue stopped early; null when it worked to its end. */
  readonly stopped: ProviderError | null;
  /** Why the last row that failed did; null when none did. */
  readonly lastError: unknown;
}

/**
 * Works a list with a bounded number of workers. A failure of one row leaves that row open and the others going; a
 * failure that no further call can escape (no credit, bad key, lasting rate limit) stops the queue at once, so that
 * an outage costs one call per worker and no verdict is invented.
 */
export async function judgeRuns<T, R>(
  rows: readonly T[],
  workers: number,
  work: (row: T) => Promise<R | null>,
  onFailure: (row: T, error: unknown) => void = () => undefined,
): Promise<JudgeRunsResult<R>> {
  const limit = pLimit(Math.max(1, workers));
  const done: R[] = [];
  let open = 0;
  let stopped: ProviderError | null = null;
  let lastError: unknown = null;
  const one = async (row: T): Promise<void> => {
    if (stopped !== null) {
      open += 1;
      return;
    }
    try {
      const result = await work(row);
      if (result === null) open += 1;
      else done.push(result);
    } catch (error) {
      open += 1;
      lastError = error;
      if (error instanceof ProviderError && error.kind === 'Pause') stopped = error;
      // One row that cannot be read or written must not keep the others from their verdicts, nor the batch from its
      // summary: it stays open, and the caller says why.
      if (!(error instanceof ProviderError)) onFailure(row, error);
    }
  };
  await Promise.all(rows.map((row) => limit(() => one(row))));
  return { done, open, stopped, lastError };
}
