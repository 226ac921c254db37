import { expect, it } from 'vitest';
import { kubeconfig, tokensCsv } from './credentials.ts';

const admin = { file: 'admin', name: 'admin', group: 'system:masters', token: 'aa' };

it('the token file quotes the group and leaves out an empty one', () => {
  const users = [admin, { file: 'cm', name: 'system:kube-controller-manager', group: '', token: 'bb' }];
  expect(tokensCsv(users)).toBe('aa,admin,1,"system:masters"\nbb,system:kube-controller-manager,2\n');
});

it('the kubeconfig is whole: server, CA, token and a current context', () => {
  const config = JSON.parse(kubeconfig(admin, 'PEM')) as Record<string, unknown>;
  expect(config).toMatchObject({
    clusters: [{ cluster: { server: 'https://127.0.0.1:16443', 'certificate-authority-data': 'UEVN' } }],
    users: [{ user: { token: 'aa' } }],
    'current-context': 'clawbench-embedded',
  });
});
