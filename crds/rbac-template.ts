import { stringify } from 'yaml';
import { JUDGE_IDENTITY, PREPARE_IDENTITY } from './group.ts';
import { EDIT_RULES, JUDGE_RULES, LEADER_RULES, OPERATOR_RULES, PREPARE_RULES, VIEW_RULES } from './rbac.ts';
import type { PolicyRule } from './rbac.ts';

const OPERATOR_NAME = '{{ include "clawbench.fullname" . }}';
const NAMESPACE = '{{ .Release.Namespace }}';

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A YAML writer would quote the Helm expressions, so the metadata is written as lines. */
const header = (kind: string, meta: Metadata): string =>
  [
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${kind}`,
    'metadata:',
    `  name: ${meta.name}`,
    ...(meta.namespace === undefined ? [] : [`  namespace: ${meta.namespace}`]),
    '  labels:',
    '    {{- include "clawbench.labels" . | nindent 4 }}',
    ...Object.entries(meta.labels ?? {}).map(([key, value]) => `    ${key}: "${value}"`),
    '',
  ].join('\n');

const role = (kind: 'Role' | 'ClusterRole', meta: Metadata, rules: readonly PolicyRule[]): string =>
  header(kind, meta) + stringify({ rules }, { aliasDuplicateObjects: false, lineWidth: 0 });

const binding = (kind: 'RoleBinding' | 'ClusterRoleBinding', meta: Metadata, roleKind: string): string =>
  header(kind, meta) +
  `roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ${roleKind}\n  name: ${meta.name}\n` +
  `subjects:\n  - kind: ServiceAccount\n    name: {{ include "clawbench.serviceAccountName" . }}\n    namespace: ${NAMESPACE}\n`;

const aggregate = (...to: readonly string[]): Record<string, string> =>
  Object.fromEntries(to.map((name) => [`rbac.authorization.k8s.io/aggregate-to-${name}`, 'true']));

const leader: Metadata = { name: `${OPERATOR_NAME}-leader`, namespace: NAMESPACE };

/** The chart's RBAC, from the rules of `rbac.ts`. */
export const rbacTemplate = (): string =>
  [
    role('ClusterRole', { name: OPERATOR_NAME }, OPERATOR_RULES),
    binding('ClusterRoleBinding', { name: OPERATOR_NAME }, 'ClusterRole'),
    role('Role', leader, LEADER_RULES),
    binding('RoleBinding', leader, 'Role'),
    // Fixed names: the operator creates RoleBindings to these two in namespaces with batches.
    role('ClusterRole', { name: PREPARE_IDENTITY }, PREPARE_RULES),
    role('ClusterRole', { name: JUDGE_IDENTITY }, JUDGE_RULES),
    role('ClusterRole', { name: `${OPERATOR_NAME}-view`, labels: aggregate('view', 'edit', 'admin') }, VIEW_RULES),
    role('ClusterRole', { name: `${OPERATOR_NAME}-edit`, labels: aggregate('edit', 'admin') }, EDIT_RULES),
  ].join('---\n');
