import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from './options.ts';

const CHROMIUM = '/usr/lib/chromium/chromium';
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/**
 * Looks for what a session starts, before it starts anything.
 * @throws BadInput that names what is missing and how it is installed.
 */
export function checkRequiredPrograms(headless: boolean): void {
  const chromium = process.env['CLAWBENCH_CHROMIUM'] ?? CHROMIUM;
  const names = ['socat', 'ip', 'unshare', ...(headless ? [] : ['Xvfb', 'ffmpeg'])];
  const missing = [
    ...(isProgram(chromium) ? [] : [`Chromium (${chromium})`]),
    ...names.filter((name) => !FOLDERS.some((folder) => isProgram(join(folder, name)))),
  ];
  if (missing.length === 0) return;
  throw new BadInput(`not installed: ${missing.join(', ')}. On Debian, as root: sh bin/install-packages browser`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
