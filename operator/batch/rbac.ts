import { PORTS } from '../../benchmark/protocol/pod-paths.ts';
import { JUDGE_IDENTITY, PREPARE_IDENTITY } from '../../crds/group.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { NetworkPolicy, RoleBinding, ServiceAccount } from '../../kube/kinds.ts';
import type { KubeObject, Live, OwnerReference } from '../../kube/object.ts';
import type { Applied } from '../../kube/resource.ts';
import { BATCH_LABEL, COMPONENT_LABEL, commonLabels, MANAGED_BY_LABEL, OPERATOR_NAME } from '../labels.ts';

/** Service accounts of the two Jobs in a user's namespace. */
export const JOB_SERVICE_ACCOUNTS = [PREPARE_IDENTITY, JUDGE_IDENTITY] as const;

/**
 * The namespace's batches and standalone runs own the Jobs' service accounts together. The garbage collector removes
 * them with the last owner, so nothing is left behind and no batch takes them from another.
 */
export function sharedOwners(batches: readonly Live<KubeObject>[]): OwnerReference[] {
  return batches
    .filter((batch) => batch.metadata.deletionTimestamp === undefined)
    .map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, name: metadata.name, uid: metadata.uid }))
    .sort((left, right) => (left.uid < right.uid ? -1 : 1));
}

function metadata(name: string, namespace: string, owners: OwnerReference[]): Applied<ServiceAccount>['metadata'] {
  const labels = {
    'app.kubernetes.io/name': 'clawbench',
    [COMPONENT_LABEL]: 'identity',
    [MANAGED_BY_LABEL]: OPERATOR_NAME,
  };
  return { name, namespace, labels, ownerReferences: owners };
}

export function buildServiceAccount(
  name: string,
  namespace: string,
  owners: OwnerReference[],
): Applied<ServiceAccount> {
  return { metadata: metadata(name, namespace, owners) };
}

/** Binds the service account to the ClusterRole with its name, in this namespace only. */
export function buildRoleBinding(name: string, namespace: string, owners: OwnerReference[]): Applied<RoleBinding> {
  return {
    metadata: metadata(name, namespace, owners),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
}

/** Only the progress and metrics port of a run's pod accepts connections. */
export function buildNetworkPolicy(batch: Live<Batch>, owner: OwnerReference): Applied<NetworkPolicy> {
  const { name, namespace } = batch.metadata;
  return {
    metadata: {
      name: `${name}-runs`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: commonLabels('run', name),
      ownerReferences: [owner],
    },
    spec: {
      podSelector: { matchLabels: { [BATCH_LABEL]: name, [COMPONENT_LABEL]: 'run' } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: PORTS.progress }], from: [{ namespaceSelector: {} }] }],
    },
  };
}
