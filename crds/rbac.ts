import { BATCH_PLURAL, GROUP, JUDGE_IDENTITY, PREPARE_IDENTITY, RUN_PLURAL } from './group.ts';

/** One rule of a Role. rbac.test.ts checks that no rule has a wildcard, Secrets or pods/exec. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const KINDS = [BATCH_PLURAL, RUN_PLURAL];
const READ = ['get', 'list', 'watch'];

/** Name of the operator's Lease, in its own namespace. */
export const LEASE_NAME = 'clawbench-operator';

/** Permissions of the operator in every namespace that it watches. */
export const OPERATOR_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: [BATCH_PLURAL], verbs: [...READ, 'delete'] },
  { apiGroups: [GROUP], resources: [RUN_PLURAL], verbs: [...READ, 'create', 'delete'] },
  { apiGroups: [GROUP], resources: KINDS.map((kind) => `${kind}/status`), verbs: ['patch'] },
  // The admission plugin OwnerReferencesPermissionEnforcement requires this for blockOwnerDeletion.
  { apiGroups: [GROUP], resources: KINDS.map((kind) => `${kind}/finalizers`), verbs: ['update'] },
  { apiGroups: [''], resources: ['pods'], verbs: [...READ, 'create', 'patch', 'delete'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: [...READ, 'create', 'patch', 'delete'] },
  // No list and no watch: the operator has no need to see users' own ConfigMaps.
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  // ServiceAccounts and RoleBindings of the Jobs in each namespace with batches.
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'create', 'patch'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'], verbs: ['get', 'create', 'patch'] },
  {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['clusterroles'],
    resourceNames: [PREPARE_IDENTITY, JUDGE_IDENTITY],
    verbs: ['bind'],
  },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['get', 'create', 'patch'] },
];

/** Permissions of the operator in its own namespace. RBAC cannot limit `create` to a name. */
export const LEADER_RULES: readonly PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [LEASE_NAME],
    verbs: ['get', 'update', 'patch'],
  },
];

/** Permissions of the `prepare` Job, which reads its batch and writes the expanded task list. */
export const PREPARE_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: [BATCH_PLURAL], verbs: ['get'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
];

/** Permissions of the judge Job, which reads its batch and runs and applies verdicts. An admission policy limits it to two fields. */
export const JUDGE_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: [BATCH_PLURAL], verbs: ['get'] },
  { apiGroups: [GROUP], resources: [RUN_PLURAL], verbs: ['get', 'list'] },
  { apiGroups: [GROUP], resources: [`${RUN_PLURAL}/status`], verbs: ['patch'] },
];

/** Added to the built-in roles view, edit and admin. */
export const VIEW_RULES: readonly PolicyRule[] = [{ apiGroups: [GROUP], resources: KINDS, verbs: READ }];
/** Added to the built-in roles edit and admin. They do not include the status. */
export const EDIT_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: KINDS, verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
];
