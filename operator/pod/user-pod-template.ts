import { isQualifiedName, labelValue } from '../../benchmark/protocol/names.ts';
import type { PodTemplate } from '../../crds/blocks/pod-template.ts';
import type { Pod } from '../../kube/kinds.ts';
import type { New } from '../../kube/object.ts';
import type { Container } from './containers.ts';

type Shape = 'text' | 'list' | 'map';
const SHAPES: Readonly<Record<Shape, string>> = { text: 'a string', list: 'a list', map: 'a map' };

/**
 * Fields of a PodSpec that belong to the cluster's owner, and their types. Every other field decides whether the
 * benchmark holds. Only the API server can judge what is inside a field; its message becomes the run's `pendingReason`.
 */
const ALLOWED: Readonly<Record<string, Shape>> = {
  nodeSelector: 'map',
  tolerations: 'list',
  affinity: 'map',
  topologySpreadConstraints: 'list',
  priorityClassName: 'text',
  runtimeClassName: 'text',
  schedulerName: 'text',
  imagePullSecrets: 'list',
  dnsPolicy: 'text',
  dnsConfig: 'map',
  hostAliases: 'list',
};

/** The containers whose `resources` may be set by name. */
const CONTAINERS = ['recorder', 'models', 'browser', 'harness'];
const LISTS = ['containers', 'initContainers'];
const OWN_PREFIXES = ['claw-bench.com/', 'app.kubernetes.io/'];
/** Of the 256 KiB that the API server allows per object; bytes. */
const MAX_ANNOTATIONS = 200_000;

/** The first field of the template that cannot be merged, in one sentence; null when it can. */
export function validatePodTemplate(template: PodTemplate): string | null {
  return validateMetadata(template.metadata ?? {}) ?? validateSpec(template.spec ?? {});
}

function validateMetadata({ labels = {}, annotations = {} }: NonNullable<PodTemplate['metadata']>): string | null {
  for (const [field, kind, entries] of [
    ['labels', 'label', labels],
    ['annotations', 'annotation', annotations],
  ] as const) {
    for (const key of Object.keys(entries)) {
      if (OWN_PREFIXES.some((prefix) => key.startsWith(prefix)))
        return operatorFieldMessage(`metadata.${field}[${key}]`);
      if (!isQualifiedName(key))
        return `spec.podTemplate.metadata.${field}[${JSON.stringify(key.slice(0, 80))}] is not a valid ${kind} key; use up to 63 letters, digits, "-", "_" and ".", with an optional domain and "/" before them.`;
    }
  }
  const wrong = Object.entries(labels).find(([, value]) => labelValue(value) !== value);
  if (wrong !== undefined)
    return `spec.podTemplate.metadata.labels[${wrong[0]}] has the value ${JSON.stringify(wrong[1].slice(0, 80))}, which is not a valid label value; use up to 63 letters, digits, "-", "_" and ".".`;
  if (Buffer.byteLength(JSON.stringify(annotations)) > MAX_ANNOTATIONS)
    return 'spec.podTemplate.metadata.annotations are larger than 200 kB; a Pod can have 256 KiB of annotations, including those of the operator.';
  return null;
}

function validateSpec(spec: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(spec)) {
    const shape = ALLOWED[key];
    if (LISTS.includes(key)) {
      const problem = validateContainers(key, value);
      if (problem !== null) return problem;
    } else if (shape === undefined) return operatorFieldMessage(`spec.${key}`);
    else if (shapeOf(value) !== shape) return `spec.podTemplate.spec.${key} must be ${SHAPES[shape]}.`;
  }
  return null;
}

function shapeOf(value: unknown): Shape | null {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' && value !== null ? 'map' : null;
}

function operatorFieldMessage(path: string): string {
  return `spec.podTemplate.${path} is set by the operator; remove it. Allowed are ${Object.keys(ALLOWED).join(', ')}, and resources of the containers ${CONTAINERS.join(', ')}.`;
}

function validateContainers(list: string, value: unknown): string | null {
  if (!Array.isArray(value)) return `spec.podTemplate.spec.${list} must be a list.`;
  for (const [index, item] of (value as unknown[]).entries()) {
    const container = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
    const path = `spec.${list}[${String(index)}]`;
    if (!CONTAINERS.includes(String(container['name']))) return operatorFieldMessage(`${path}.name`);
    const other = Object.keys(container).find((key) => key !== 'name' && key !== 'resources');
    if (other !== undefined) return operatorFieldMessage(`${path}.${other}`);
    const problem = validateResources(`spec.podTemplate.${path}.resources`, container['resources'] ?? {});
    if (problem !== null) return problem;
  }
  return null;
}

function validateResources(path: string, resources: unknown): string | null {
  if (shapeOf(resources) !== 'map') return `${path} must be a map.`;
  for (const kind of ['requests', 'limits'] as const) {
    const amounts = (resources as Record<string, unknown>)[kind] ?? {};
    if (shapeOf(amounts) !== 'map') return `${path}.${kind} must be a map.`;
    const wrong = Object.entries(amounts).find(([, amount]) => !isQuantity(amount));
    if (wrong !== undefined)
      return `${path}.${kind}.${wrong[0]} is ${JSON.stringify(wrong[1])}, which is not a valid quantity; use a value such as 500m or 2Gi.`;
  }
  return null;
}

const QUANTITY = /^\+?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Whether the API server accepts it as a resource quantity: `500m`, `2Gi`, `1.5`, 2. Not negative. */
function isQuantity(amount: unknown): boolean {
  return typeof amount === 'number' ? Number.isFinite(amount) && amount >= 0 : QUANTITY.test(String(amount));
}

/**
 * The pod with the template's additions. The operator's own labels and annotations win. Resources are merged quantity
 * by quantity, so that raising one limit keeps the others.
 * @param template one that {@link validatePodTemplate} accepts.
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
