import { expect, it } from 'vitest';
import { isOurShim } from './containers.ts';

it('a shim is ours by the socket in its command line, not by its program alone', () => {
  const shim = (socket: string): string =>
    ['/usr/bin/containerd-shim-runc-v2', '-namespace', 'k8s.io', '-id', 'x', '-address', socket, ''].join('\0');
  expect(isOurShim(shim('/run/cbc/containerd.sock'))).toBe(true);
  expect(isOurShim(shim('/run/containerd/containerd.sock'))).toBe(false);
  expect(isOurShim(['vi', '/run/cbc/containerd.sock', ''].join('\0'))).toBe(false);
});
