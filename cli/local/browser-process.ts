import { dirname } from 'node:path';
import { startChildProgram, type ChildProgram } from './child.ts';
import { freePort } from './isolation.ts';
import type { SessionFolders, Programs } from './session-folders.ts';

export interface BrowserProcessOptions {
  readonly programs: Programs;
  readonly places: SessionFolders;
  readonly isolation: 'Namespace' | 'DoorOnly';
  readonly headless: boolean;
  readonly recording: string;
}

/** Starts the browser container's own start script, with its paths moved. */
export async function startBrowserProcess({
  programs,
  places,
  ...options
}: BrowserProcessOptions): Promise<ChildProgram> {
  const shared = options.isolation === 'DoorOnly';
  return startChildProgram(programs.browser, [], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {
      ...process.env,
      CLAWBENCH_RUN_DIR: places.run,
      CLAWBENCH_RECORDING_DIR: places.recording,
      CLAWBENCH_BROWSER_TMP: places.browserTmp,
      CLAWBENCH_ISOLATION: options.isolation,
      CLAWBENCH_RECORDING: options.recording,
      CLAWBENCH_HEADLESS: options.headless ? '1' : '',
      CLAWBENCH_LIFELINE: 'stdin',
      CLAWBENCH_BINARIES: dirname(programs.listener),
      // Without a namespace proxy and DevTools share the machine's loopback with other sessions.
      ...(shared
        ? {
            CLAWBENCH_DOORONLY_PROXY_PORT: String(await freePort()),
            CLAWBENCH_DOORONLY_CDP_PORT: String(await freePort()),
          }
        : {}),
    },
  });
}
