import { dirname } from 'node:path';
import { startChildProgram, type ChildProgram } from './child.ts';
import { freePort } from './isolation.ts';
import type { Programs } from './programs.ts';
import type { SessionFolders } from './session-folders.ts';

export interface BrowserProcessOptions {
  readonly programs: Programs;
  readonly folders: SessionFolders;
  readonly isolation: 'Namespace' | 'DoorOnly';
  readonly headless: boolean;
  readonly recording: string;
}

/** Starts the start script of the browser container, with its paths inside the session's folders. */
export async function startBrowserProcess({
  programs,
  folders,
  ...options
}: BrowserProcessOptions): Promise<ChildProgram> {
  const shared = options.isolation === 'DoorOnly';
  return startChildProgram(programs.browser, [], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {
      ...process.env,
      CLAWBENCH_RUN_DIR: folders.run,
      CLAWBENCH_RECORDING_DIR: folders.recording,
      CLAWBENCH_BROWSER_TMP: folders.browserTmp,
      CLAWBENCH_ISOLATION: options.isolation,
      CLAWBENCH_RECORDING: options.recording,
      CLAWBENCH_HEADLESS: options.headless ? '1' : '',
      CLAWBENCH_LIFELINE: 'stdin',
      CLAWBENCH_BINARIES: dirname(programs.listener),
      // Without a network namespace, proxy and DevTools use the machine's loopback like other sessions.
      ...(shared
        ? {
            CLAWBENCH_DOORONLY_PROXY_PORT: String(await freePort()),
            CLAWBENCH_DOORONLY_CDP_PORT: String(await freePort()),
          }
        : {}),
    },
  });
}
