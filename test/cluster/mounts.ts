import { readFile } from 'node:fs/promises';
import { run } from './run-command.ts';

/** Mount points in /proc/self/mountinfo below any of the roots (or one itself), deepest and newest first. */
export function mountsBelow(mountinfo: string, roots: readonly string[]): string[] {
  const points = mountinfo
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .map((point) => point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))));
  return points
    .filter((point) => roots.some((root) => point === root || point.startsWith(`${root}/`)))
    .reverse()
    .sort((a, b) => b.split('/').length - a.split('/').length);
}

/**
 * Unmounts everything below the roots, lazily: a process that is about to end may still hold one.
 * @throws when something is still mounted, since deleting files through a mount would delete data that is not ours
 */
export async function unmountBelow(roots: readonly string[]): Promise<void> {
  const read = (): Promise<string> => readFile('/proc/self/mountinfo', 'utf8');
  for (const point of mountsBelow(await read(), roots)) await run('umount', ['-l', point]);
  const left = mountsBelow(await read(), roots);
  if (left.length > 0)
    throw new Error(`still mounted: ${left.join(' ')}; unmount them with umount, then run down again.`);
}
