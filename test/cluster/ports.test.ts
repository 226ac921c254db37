import { expect, it } from 'vitest';
import { holderIn } from './ports.ts';

it('names the process that has a port', () => {
  const line = 'LISTEN 0 4096 127.0.0.1:16443 0.0.0.0:* users:(("kube-apiserver",pid=7665,fd=5))';
  expect(holderIn(line)).toBe('kube-apiserver (pid 7665)');
  expect(holderIn('LISTEN 0 4096 127.0.0.1:16443 0.0.0.0:*')).toBeUndefined();
});
