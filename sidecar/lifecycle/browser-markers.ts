import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { REASONS, type Reason } from '../../benchmark/outcome/outcome.ts';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import { browserRestarted } from './marker-files.ts';

export interface BrowserTrouble {
  readonly reason: Reason;
  readonly message: string;
}

const browserError = z.object({ reason: z.enum(REASONS), message: z.string() });
/** Two existence checks on a memory volume: cheap enough to ask twice a second, and inotify does not cross kubelet's mounts everywhere. */
const PERIOD_MS = 500;

/** What the browser's start script says went wrong, if anything. */
export function browserTrouble(runDir: string): BrowserTrouble | null {
  if (browserRestarted(runDir)) {
    return { reason: 'BrowserRestarted', message: 'The browser container died and was restarted by kubelet.' };
  }
  let text: string;
  try {
    text = readFileSync(join(runDir, RUN_FILES.browserError), 'utf8');
  } catch {
    return null;
  }
  return parse(text);
}

function parse(text: string): BrowserTrouble {
  try {
    return browserError.parse(JSON.parse(text));
  } catch {
    return { reason: 'InternalError', message: 'The browser reported a failure that could not be read.' };
  }
}

/** Asks until there is trouble, then tells once. @returns a function that ends the watch. */
export function watchBrowser(runDir: string, onTrouble: (trouble: BrowserTrouble) => void): () => void {
  const timer = setInterval(() => {
    const trouble = browserTrouble(runDir);
    if (trouble === null) return;
    clearInterval(timer);
    onTrouble(trouble);
  }, PERIOD_MS);
  return () => {
    clearInterval(timer);
  };
}
