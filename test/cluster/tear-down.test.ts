import { expect, it } from 'vitest';
import { ourCniResults } from './tear-down.ts';

it('of the CNI cache goes what belongs to our sandboxes', () => {
  const files = ['cbc-ab12-eth0', 'cni-loopback-ab12-lo', 'cni-loopback-ff00-lo', 'podman-ab12-eth0', 'cbcx-1-eth0'];
  expect(ourCniResults(files)).toEqual(['cbc-ab12-eth0', 'cni-loopback-ab12-lo']);
});
