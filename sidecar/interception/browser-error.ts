import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REASONS, type Reason } from '../../benchmark/outcome/outcome.ts';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import { InterceptionError } from '../contracts.ts';

const POLL_MS = 200;

/**
 * Waits for the browser's start script to say that it cannot give what was asked; it parks instead of exiting, so the
 * file is all that tells. Settles only then, or never once `signal` is aborted.
 */
export async function browserRefusal(runDir: string, signal: AbortSignal): Promise<InterceptionError> {
  for (;;) {
    const text = await readFile(join(runDir, RUN_FILES.browserError), 'utf8').catch(() => '');
    const error = text === '' ? null : parse(text);
    if (error !== null) return error;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
    if (signal.aborted) return new Promise(() => undefined);
  }
}

/** Null while the file is half written. */
function parse(text: string): InterceptionError | null {
  try {
    const { reason, message } = JSON.parse(text) as { reason?: unknown; message?: unknown };
    const known = REASONS.find((name): name is Reason => name === reason);
    return new InterceptionError(
      known ?? 'BrowserExited',
      typeof message === 'string' ? message : 'the browser could not be started',
    );
  } catch {
    return null;
  }
}
