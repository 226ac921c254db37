import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FILES } from '../../../benchmark/protocol/pod-paths.ts';
import { readBrowserError, type BrowserError } from '../../browser-error.ts';

/** Two existence checks on a memory volume, cheap enough for twice a second; inotify does not cross kubelet's mounts everywhere. */
const PERIOD_MS = 500;

/** Polls until the browser container failed or was restarted, then calls back once. @returns a function that ends the watch. */
export function watchBrowser(runDir: string, onFailure: (error: BrowserError) => void): () => void {
  const timer = setInterval(() => {
    const error = browserFailure(runDir);
    if (error === null) return;
    clearInterval(timer);
    onFailure(error);
  }, PERIOD_MS);
  return () => {
    clearInterval(timer);
  };
}

/** The start script of a container that came back finds its own marker and parks. */
function browserFailure(runDir: string): BrowserError | null {
  if (!existsSync(join(runDir, RUN_FILES.browserRestarted))) return readBrowserError(runDir);
  return { reason: 'BrowserRestarted', message: 'The browser container died and was restarted by kubelet.' };
}
