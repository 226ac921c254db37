import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from './options.ts';

const CHROMIUM = '/usr/lib/chromium/chromium';
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/**
 * Checks that the programs of a session are installed, before any is started.
 * @throws BadInput that names the missing programs and how to install them
 */
export function checkRequiredPrograms(headless: boolean): void {
  const chromium = process.env['CLAWBENCH_CHROMIUM'] ?? CHROMIUM;
  const names = ['socat', 'ip', 'unshare', ...(headless ? [] : ['Xvfb', 'ffmpeg'])];
  const missing = [
    ...(isProgram(chromium) ? [] : [`Chromium (${chromium})`]),
    ...names.filter((name) => !FOLDERS.some((folder) => isProgram(join(folder, name)))),
  ];
  if (missing.length === 0) return;
  throw new BadInput(
    `required programs are not installed: ${missing.join(', ')}; on Debian, run as root: sh bin/install-packages browser`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
