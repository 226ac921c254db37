import type {
  CoreV1Event,
  V1ConfigMap,
  V1Job,
  V1Lease,
  V1Namespace,
  V1NetworkPolicy,
  V1Pod,
  V1RoleBinding,
  V1ServiceAccount,
} from '@kubernetes/client-node';
import type { Kind, KubeObject, ResourceRef } from './object.ts';

/** The built-in kinds that this project uses. Its custom resources are in clawbench-kinds.ts. */
export type Pod = Kind<V1Pod>;
export type Job = Kind<V1Job>;
export type ConfigMap = Kind<V1ConfigMap>;
export type ServiceAccount = Kind<V1ServiceAccount>;
export type RoleBinding = Kind<V1RoleBinding>;
export type NetworkPolicy = Kind<V1NetworkPolicy>;
export type Namespace = Kind<V1Namespace>;
export type Lease = Kind<V1Lease>;
export type Event = Kind<CoreV1Event>;

const core = <T extends KubeObject>(kind: string, plural: string): ResourceRef<T> => ({
  group: '',
  version: 'v1',
  kind,
  plural,
});

export const PODS = core<Pod>('Pod', 'pods');
export const CONFIG_MAPS = core<ConfigMap>('ConfigMap', 'configmaps');
export const SERVICE_ACCOUNTS = core<ServiceAccount>('ServiceAccount', 'serviceaccounts');
export const NAMESPACES = core<Namespace>('Namespace', 'namespaces');
export const EVENTS = core<Event>('Event', 'events');
export const JOBS: ResourceRef<Job> = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };
export const LEASES: ResourceRef<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
};
export const ROLE_BINDINGS: ResourceRef<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
};
export const NETWORK_POLICIES: ResourceRef<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
};
