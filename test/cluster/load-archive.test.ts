import { expect, it } from 'vitest';
import { loadedId } from './load-archive.ts';

const listing = [
  'REF                TYPE                      DIGEST      SIZE    PLATFORMS   LABELS',
  'localhost/a:1      application/vnd.x+json    sha256:11   1 KiB   linux/amd64 claw-bench.com/image-id=abc,io.cri-containerd.image=managed',
  'localhost/a:12     application/vnd.x+json    sha256:12   1 KiB   linux/amd64 claw-bench.com/image-id=def',
  'localhost/b:1      application/vnd.x+json    sha256:13   1 KiB   linux/amd64 io.cri-containerd.image=managed',
].join('\n');

it('reads from which build an image was loaded', () => {
  expect(loadedId(listing, 'localhost/a:1')).toBe('abc');
  expect(loadedId(listing, 'localhost/a:12')).toBe('def');
});

it('knows nothing of images that came otherwise, or not at all', () => {
  expect(loadedId(listing, 'localhost/b:1')).toBeUndefined();
  expect(loadedId(listing, 'localhost/c:1')).toBeUndefined();
});
