import pLimit from 'p-limit';
import { MailError, type MailProvider } from './provider.ts';

/** A run whose Pods may have left mailboxes. */
export interface SweptRun {
  readonly uid: string;
  /** Attempts that were ever started. */
  readonly attempts: number;
}

export interface Swept {
  readonly removed: number;
  /** Runs whose mailboxes could not be removed; sweeping again tries them again. */
  readonly failed: readonly string[];
}

/** Removes what dead Pods left, for the sweep Job. Gentle to the provider; never throws for one run. */
export async function sweepMailboxes(provider: MailProvider, runs: readonly SweptRun[]): Promise<Swept> {
  const limit = pLimit(4);
  const failed: string[] = [];
  await Promise.all(
    runs.map((run) =>
      limit(async () => {
        try {
          await provider.remove(run.uid, run.attempts);
        } catch (error) {
          if (!(error instanceof MailError)) throw error;
          failed.push(run.uid);
        }
      }),
    ),
  );
  return { removed: runs.length - failed.length, failed };
}
