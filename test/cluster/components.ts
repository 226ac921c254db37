import { join } from 'node:path';
import { API_PORT, ETCD, ETCD_PEER, NODE_IP, NODE_NAME, SERVICE_CIDR, type Places } from './places.ts';

/** A host process of the cluster: its name is also that of its pid file and log. */
export interface Component {
  name: string;
  program: string;
  args: string[];
  /** Added to the environment. */
  env?: Record<string, string>;
}

/** `--a=b` for each pair. */
function flags(values: Record<string, string>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}

function apiServerFlags(pki: string): string[] {
  return flags({
    'etcd-servers': ETCD,
    // Pods reach `kubernetes.default` at the advertised address, so loopback would not do for either. Who comes by
    // another interface than these two is refused by the firewall (firewall.ts).
    'bind-address': '0.0.0.0',
    'advertise-address': NODE_IP,
    'secure-port': String(API_PORT),
    'tls-cert-file': `${pki}/api.crt`,
    'tls-private-key-file': `${pki}/api.key`,
    'cert-dir': pki,
    'client-ca-file': `${pki}/ca.crt`,
    'token-auth-file': `${pki}/tokens.csv`,
    'kubelet-client-certificate': `${pki}/kubelet-client.crt`,
    'kubelet-client-key': `${pki}/kubelet-client.key`,
    'kubelet-certificate-authority': `${pki}/ca.crt`,
    'kubelet-preferred-address-types': 'InternalIP',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': `${pki}/sa.pub`,
    'service-account-signing-key-file': `${pki}/sa.key`,
    // Webhooks and APIServices by Service name.
    'requestheader-client-ca-file': `${pki}/front-ca.crt`,
    'requestheader-username-headers': 'X-Remote-User',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'proxy-client-cert-file': `${pki}/front.crt`,
    'proxy-client-key-file': `${pki}/front.key`,
    'enable-aggregator-routing': 'true',
    'service-cluster-ip-range': SERVICE_CIDR,
    // With less, gaps in the chart's RBAC stay hidden.
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction',
    'allow-privileged': 'true',
    'max-requests-inflight': '1000',
    'max-mutating-requests-inflight': '500',
    'event-ttl': '2h',
  });
}

function etcdFlags(places: Places): string[] {
  return [
    ...flags({ name: 'cbc', 'data-dir': `${places.state}/etcd` }),
    // The data lives one run only.
    '--unsafe-no-fsync',
    ...flags({
      'log-level': 'warn',
      'quota-backend-bytes': '2147483648',
      'listen-client-urls': ETCD,
      'advertise-client-urls': ETCD,
      'listen-peer-urls': ETCD_PEER,
      'initial-advertise-peer-urls': ETCD_PEER,
      'initial-cluster': `cbc=${ETCD_PEER}`,
    }),
  ];
}

function controllerManagerFlags(pki: string): string[] {
  return flags({
    kubeconfig: `${pki}/cm.kubeconfig`,
    'leader-elect': 'false',
    'bind-address': '127.0.0.1',
    'cert-dir': pki,
    'service-account-private-key-file': `${pki}/sa.key`,
    'root-ca-file': `${pki}/ca.crt`,
    'use-service-account-credentials': 'true',
    'cluster-signing-cert-file': `${pki}/ca.crt`,
    'cluster-signing-key-file': `${pki}/ca.key`,
    // The default of 20 requests a second throttles big Jobs.
    'kube-api-qps': '200',
    'kube-api-burst': '400',
    'concurrent-job-syncs': '20',
  });
}

/** The control plane and the node, by name. `bin` is the directory that `ensureBinaries` gives. */
export function components(places: Places, bin: string): Record<ComponentName, Component> {
  const { pki, conf } = places;
  const built = (name: ComponentName, args: string[]): Component => ({ name, program: join(bin, name), args });
  return {
    containerd: { name: 'containerd', program: '/usr/bin/containerd', args: ['--config', `${conf}/containerd.toml`] },
    registry: { name: 'registry', program: '/usr/bin/docker-registry', args: ['serve', `${conf}/registry.yaml`] },
    etcd: built('etcd', etcdFlags(places)),
    'kube-apiserver': built('kube-apiserver', apiServerFlags(pki)),
    'kube-controller-manager': built('kube-controller-manager', controllerManagerFlags(pki)),
    'kube-scheduler': built('kube-scheduler', [
      ...flags({ kubeconfig: `${pki}/sched.kubeconfig`, 'leader-elect': 'false', 'bind-address': '127.0.0.1' }),
      ...flags({ 'kube-api-qps': '400', 'kube-api-burst': '800' }),
    ]),
    kubelet: built(
      'kubelet',
      flags({
        config: `${conf}/kubelet.yaml`,
        kubeconfig: `${pki}/kubelet.kubeconfig`,
        'hostname-override': NODE_NAME,
        'node-ip': NODE_IP,
        'root-dir': places.kubelet,
        'cert-dir': pki,
      }),
    ),
    'kube-proxy': built('kube-proxy', flags({ config: `${conf}/proxy.yaml` })),
    coredns: built('coredns', ['-conf', `${conf}/Corefile`]),
  };
}

/** Every component that `up` starts, besides S3 (which may be started again elsewhere). */
export const COMPONENT_NAMES = [
  'containerd',
  'registry',
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'coredns',
] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];
