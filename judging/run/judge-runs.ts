import pLimit from 'p-limit';
import { ProviderError } from '../call/provider-error.ts';

/** The result of processing a list of runs. */
export interface JudgeRunsResult<R> {
  readonly done: readonly R[];
  /** Rows without a result: their call failed, or the queue stopped before. */
  readonly open: number;
  /** Why the queue stopped early; null: it processed the whole list. */
  readonly stopped: ProviderError | null;
  /** The error of the last row that failed; null: none failed. */
  readonly lastError: unknown;
}

/**
 * Processes a list of runs with a bounded number of workers. When one row fails, it stays open and the others continue. A
 * failure that every further call would meet (no credit, invalid key, lasting rate limit) stops the queue at once, so that
 * an outage costs one call per worker and no verdict is made up.
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
      // A row that cannot be read or written must not stop the other verdicts or the summary: it stays open, and the
      // caller reports why.
      if (!(error instanceof ProviderError)) onFailure(row, error);
    }
  };
  await Promise.all(rows.map((row) => limit(() => one(row))));
  return { done, open, stopped, lastError };
}
