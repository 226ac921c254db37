import { expect, it } from 'vitest';
import { ourShimId } from './containers.ts';

it('a shim is ours by the socket in its command line, not by its program alone', () => {
  const shim = (socket: string): string =>
    ['/usr/bin/containerd-shim-runc-v2', '-namespace', 'k8s.io', '-id', 'ab12', '-address', socket, ''].join('\0');
  expect(ourShimId(shim('/run/cbc/containerd.sock'))).toBe('ab12');
  expect(ourShimId(shim('/run/containerd/containerd.sock'))).toBeUndefined();
  expect(ourShimId(['vi', '/run/cbc/containerd.sock', ''].join('\0'))).toBeUndefined();
});
