import { describe, expect, it } from 'vitest';
import { mountsBelow } from './mounts.ts';

function mountinfo(...points: string[]): string {
  return points.map((point, i) => `${30 + i} 1 0:${i} / ${point} rw shared:1 - tmpfs tmpfs rw`).join('\n');
}

describe('mounts below a directory', () => {
  it('come deepest first, and the newest of equals first', () => {
    const info = mountinfo('/', '/run/cbc/a', '/run/cbc/a/b/c', '/run/cbc/z', '/run/cbc/a/b');
    expect(mountsBelow(info, ['/run/cbc'])).toEqual(['/run/cbc/a/b/c', '/run/cbc/a/b', '/run/cbc/z', '/run/cbc/a']);
  });

  it('are not those beside it whose name begins alike', () => {
    expect(mountsBelow(mountinfo('/run/cbc2/x', '/run/cb', '/run/cbc'), ['/run/cbc'])).toEqual(['/run/cbc']);
  });

  it('appear twice when something is mounted twice', () => {
    expect(mountsBelow(mountinfo('/data/k', '/data/k'), ['/data'])).toEqual(['/data/k', '/data/k']);
  });

  it('are decoded from their octal escapes', () => {
    expect(mountsBelow(mountinfo('/data/a\\040b'), ['/data'])).toEqual(['/data/a b']);
  });
});
