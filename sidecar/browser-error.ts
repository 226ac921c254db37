import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REASONS, type Reason } from '../benchmark/outcome/outcome.ts';
import { RUN_FILES } from '../benchmark/protocol/pod-paths.ts';

/** What the browser container's start script says went wrong. */
export interface BrowserError {
  readonly reason: Reason;
  readonly message: string;
}

const UNREADABLE = 'The browser reported a failure that could not be read.';

/**
 * Reads `browser.error`. The start script parks instead of exiting, so this file is the only sign of its failure. It is
 * renamed into place, hence never half written: whatever it holds is a report, and the browser of this attempt is gone.
 * A reason that this recorder does not know (another version's image) is `BrowserExited`, with the script's sentence.
 * @returns null when there is no such file.
 */
export function readBrowserError(runDir: string): BrowserError | null {
  let text: string;
  try {
    text = readFileSync(join(runDir, RUN_FILES.browserError), 'utf8');
  } catch {
    return null;
  }
  const { reason, message } = parse(text);
  return {
    reason: REASONS.find((known) => known === reason) ?? 'BrowserExited',
    message: typeof message === 'string' && message !== '' ? message : UNREADABLE,
  };
}

function parse(text: string): { readonly reason?: unknown; readonly message?: unknown } {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
