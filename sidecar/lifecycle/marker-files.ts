import { openSync, closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';

/**
 * kubelet restarts a native sidecar that dies, even in a Pod that restarts nothing else. A mark in the shared volume,
 * which outlives the container, tells a first start from a restart.
 * @returns whether this is a restart: park, the attempt is over.
 */
export function markRecorderStart(runDir: string): boolean {
  try {
    closeSync(openSync(join(runDir, RUN_FILES.recorderStarted), 'wx'));
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    writeFileSync(join(runDir, RUN_FILES.recorderRestarted), '');
    return true;
  }
}

/** Lets the browser container's startup probe pass, and with it kubelet start the agent. */
export function markArmed(runDir: string): void {
  writeFileSync(join(runDir, RUN_FILES.armed), '');
}
