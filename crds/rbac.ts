import { BATCH_PLURAL, GROUP, JUDGE_IDENTITY, PREPARE_IDENTITY, RUN_PLURAL } from './group.ts';

/** One rule of a Role. Never a wildcard, never a Secret, never pods/exec: a test reads every rule here. */
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

/** The operator, in every namespace it watches. */
export const OPERATOR_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: [BATCH_PLURAL], verbs: [...READ, 'delete'] },
  { apiGroups: [GROUP], resources: [RUN_PLURAL], verbs: [...READ, 'create', 'delete'] },
  { apiGroups: [GROUP], resources: KINDS.map((kind) => `${kind}/status`), verbs: ['patch'] },
  // Owner references that block the owner's deletion need this where that admission plugin is on.
  { apiGroups: [GROUP], resources: KINDS.map((kind) => `${kind}/finalizers`), verbs: ['update'] },
  { apiGroups: [''], resources: ['pods'], verbs: [...READ, 'create', 'patch', 'delete'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: [...READ, 'create', 'patch', 'delete'] },
  // By name: never a list or a watch, for users' own ConfigMaps are none of its business.
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  // Identity of the two Jobs in each user namespace.
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

/** The operator, in its own namespace only. `create` cannot be limited to a name. */
export const LEADER_RULES: readonly PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [LEASE_NAME],
    verbs: ['get', 'update', 'patch'],
  },
];

/** The `prepare` Job: reads its batch, writes the expanded task list. */
export const PREPARE_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: [BATCH_PLURAL], verbs: ['get'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
];

/** The judge Job: reads its batch and the runs, applies verdicts. An admission policy holds it to its two fields. */
export const JUDGE_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: [BATCH_PLURAL], verbs: ['get'] },
  { apiGroups: [GROUP], resources: [RUN_PLURAL], verbs: ['get', 'list'] },
  { apiGroups: [GROUP], resources: [`${RUN_PLURAL}/status`], verbs: ['patch'] },
];

/** Added to the built-in roles view, edit and admin. */
export const VIEW_RULES: readonly PolicyRule[] = [{ apiGroups: [GROUP], resources: KINDS, verbs: READ }];
/** Added to the built-in roles edit and admin. Status stays the programs'. */
export const EDIT_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: KINDS, verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
];
