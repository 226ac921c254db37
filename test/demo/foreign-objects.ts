import { DEMO_LABEL } from '../e2e-cluster/namespace.ts';

/** An object of the demo's namespace, as `kubectl get -o json` lists it. */
export interface Listed {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly unknown[];
  };
}

/** Kinds that a person may have created in the demo's namespace and would miss. */
export const CHECKED_KINDS = 'clawbenchbatch,clawbenchrun,configmap,secret,pod,persistentvolumeclaim';

const [LABEL = '', VALUE = ''] = DEMO_LABEL.split('=');

/** What the demo makes without its label, and what Kubernetes puts into every namespace. */
const KNOWN: ReadonlySet<string> = new Set([
  'ClawBenchBatch/demo',
  'ClawBenchBatch/claw-eval',
  'ConfigMap/demo',
  'ConfigMap/demo-references',
  'ConfigMap/claw-eval',
  'ConfigMap/claw-eval-references',
  'ConfigMap/kube-root-ca.crt',
]);

/** `Kind/name` of every object that the demo did not create; the next demo deletes the namespace and these with it. */
export function foreignObjects(listed: readonly Listed[]): readonly string[] {
  return listed
    .filter(
      ({ metadata: { labels, ownerReferences = [] } }) => labels?.[LABEL] !== VALUE && ownerReferences.length === 0,
    )
    .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
    .filter((name) => !KNOWN.has(name));
}
