import { API_SERVER, NODE_NAME } from './places.ts';

/** One identity of the cluster: a static token, and a kubeconfig file that uses it. */
export interface User {
  file: string;
  name: string;
  group: string;
  token: string;
}

/** Everyone who speaks to the API server with a kubeconfig. `group` is empty where the user name alone has the role. */
export const USERS: readonly Omit<User, 'token'>[] = [
  { file: 'admin', name: 'admin', group: 'system:masters' },
  { file: 'kubelet', name: `system:node:${NODE_NAME}`, group: 'system:nodes' },
  { file: 'cm', name: 'system:kube-controller-manager', group: '' },
  { file: 'sched', name: 'system:kube-scheduler', group: '' },
  { file: 'proxy', name: 'system:kube-proxy', group: '' },
];

/** The API server's `--token-auth-file`: `token,user,uid,"group"` a line. */
export function tokensCsv(users: readonly User[]): string {
  const line = (user: User, uid: number): string =>
    [user.token, user.name, String(uid + 1), ...(user.group ? [`"${user.group}"`] : [])].join(',');
  return `${users.map(line).join('\n')}\n`;
}

/** A kubeconfig with the CA inline, so that it can be copied elsewhere on this machine. */
export function kubeconfig(user: User, caPem: string): string {
  const name = 'clawbench-embedded';
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name, cluster: { server: API_SERVER, 'certificate-authority-data': Buffer.from(caPem).toString('base64') } },
      ],
      users: [{ name: user.name, user: { token: user.token } }],
      contexts: [{ name, context: { cluster: name, user: user.name } }],
      'current-context': name,
    },
    null,
    2,
  )}\n`;
}
