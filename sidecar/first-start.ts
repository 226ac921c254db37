import { closeSync, openSync } from 'node:fs';

/**
 * Whether this is the first start of a container in its Pod. Kubelet restarts a native sidecar that exits, even in a Pod
 * that restarts no other container. A marker file in a volume, which outlives the container, shows the restart.
 * @param marker the file's path; created by the first start.
 */
export function isFirstStart(marker: string): boolean {
  try {
    closeSync(openSync(marker, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
