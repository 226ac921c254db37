import type { PodTemplate } from '../../crds/blocks/pod-template.ts';
import type { Pod } from '../../kube/kinds.ts';
import type { New } from '../../kube/object.ts';
import type { Container } from './pod-containers.ts';

/** Fields of a PodSpec that belong to the cluster's owner; everything else decides whether the benchmark holds. */
const ALLOWED = [
  'nodeSelector',
  'tolerations',
  'affinity',
  'topologySpreadConstraints',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'imagePullSecrets',
  'dnsPolicy',
  'dnsConfig',
  'hostAliases',
] as const;

/** Our containers, whose `resources` may be set by name. */
const CONTAINERS = ['recorder', 'models', 'browser', 'harness'];
const LISTS = ['containers', 'initContainers'];
const OWN_PREFIXES = ['claw-bench.com/', 'app.kubernetes.io/'];

/** One sentence for the first field of the template that the operator owns; null when it can be merged. */
export function podTemplateProblem(template: PodTemplate): string | null {
  for (const kind of ['labels', 'annotations'] as const) {
    const taken = Object.keys(template.metadata?.[kind] ?? {}).find((key) =>
      OWN_PREFIXES.some((prefix) => key.startsWith(prefix)),
    );
    if (taken !== undefined) return refused(`metadata.${kind}[${taken}]`);
  }
  for (const [key, value] of Object.entries(template.spec ?? {})) {
    if (LISTS.includes(key)) {
      const problem = containersProblem(key, value);
      if (problem !== null) return problem;
    } else if (!(ALLOWED as readonly string[]).includes(key)) {
      return refused(`spec.${key}`);
    }
  }
  return null;
}

function refused(path: string): string {
  return `spec.podTemplate.${path} belongs to the operator: remove it (allowed are ${ALLOWED.join(', ')} and resources of the containers ${CONTAINERS.join(', ')}).`;
}

function containersProblem(list: string, value: unknown): string | null {
  if (!Array.isArray(value)) return `spec.podTemplate.spec.${list} must be a list.`;
  for (const [index, item] of (value as unknown[]).entries()) {
    const container = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
    const path = `spec.${list}[${String(index)}]`;
    if (!CONTAINERS.includes(String(container['name']))) return refused(`${path}.name`);
    const other = Object.keys(container).find((key) => key !== 'name' && key !== 'resources');
    if (other !== undefined) return refused(`${path}.${other}`);
  }
  return null;
}

/**
 * The pod with the template's additions. What the operator builds wins on labels and annotations; resources replace
 * ours quantity by quantity, so that raising one limit keeps the others.
 * @param template one that {@link podTemplateProblem} accepts.
 */
export function mergePodTemplate(pod: New<Pod>, template: PodTemplate): New<Pod> {
  const spec = pod.spec;
  if (spec === undefined) return pod;
  const additions = Object.fromEntries(Object.entries(template.spec ?? {}).filter(([key]) => !LISTS.includes(key)));
  const resources = resourcesByName(template);
  const sized = (container: Container): Container => withResources(container, resources.get(container.name));
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...template.metadata?.labels, ...pod.metadata.labels },
      annotations: { ...template.metadata?.annotations, ...pod.metadata.annotations },
    },
    spec: {
      ...additions,
      ...spec,
      containers: spec.containers.map(sized),
      initContainers: (spec.initContainers ?? []).map(sized),
    },
  };
}

type Resources = NonNullable<Container['resources']>;

function resourcesByName(template: PodTemplate): ReadonlyMap<string, Resources> {
  const lists = LISTS.flatMap((list) => (template.spec?.[list] ?? []) as { name: string; resources?: Resources }[]);
  return new Map(lists.map((container) => [container.name, container.resources ?? {}]));
}

function withResources(container: Container, change: Resources | undefined): Container {
  if (change === undefined) return container;
  const own = container.resources ?? {};
  return {
    ...container,
    resources: {
      requests: { ...own.requests, ...change.requests },
      limits: { ...own.limits, ...change.limits },
    },
  };
}
