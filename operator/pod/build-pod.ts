import type { RunConfig } from '../../benchmark/protocol/run-config.ts';
import type { Harness } from '../../crds/blocks/agents.ts';
import type { Deadlines } from '../../crds/blocks/limits.ts';
import type { PodTemplate } from '../../crds/blocks/pod-template.ts';
import type { Pod } from '../../kube/kinds.ts';
import type { New, OwnerReference } from '../../kube/object.ts';
import type { Images } from '../config.ts';
import { browserContainer, harnessContainer, recorderContainer, shimContainer } from './containers.ts';
import { modelsContainer, modelsVolumes, type PodModels } from './models-sidecar.ts';
import { mergePodTemplate } from './user-pod-template.ts';
import { podVolumes } from './volumes.ts';

export interface PodInput {
  readonly name: string;
  readonly owner: OwnerReference;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  /** For the recorder. The namespace, the image and the browser settings are read from it too. */
  readonly config: RunConfig;
  readonly harness: Harness;
  readonly images: Images;
  readonly deadlines: Deadlines;
  readonly storeSecret: string | null;
  readonly suiteConfigMap: string | null;
  readonly mailSecret: string | null;
  /** Null: the harness does not call a model. */
  readonly models: PodModels | null;
  readonly podTemplate: PodTemplate;
}

/**
 * The Pod of one attempt (docs/protocol.md): shim → recorder → models → browser → harness. Non-root and `restricted`
 * throughout. No service account token, because nothing in it may reach the API server. Never restarted as a whole: a
 * second life would be a second attempt that is not counted.
 */
export function buildPod(input: PodInput): New<Pod> {
  const { config, images, deadlines, harness, models, mailSecret, suiteConfigMap } = input;
  const recorder = {
    image: images.recorder,
    deadlines,
    storeSecret: input.storeSecret,
    suiteMounted: suiteConfigMap !== null,
    mail: mailSecret !== null,
  };
  const pod: New<Pod> = {
    metadata: {
      name: input.name,
      namespace: config.namespace,
      labels: input.labels,
      annotations: input.annotations,
      ownerReferences: [input.owner],
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: deadlines.graceSeconds,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      initContainers: [
        shimContainer(images.recorder),
        recorderContainer(config, harness, recorder),
        ...(models === null ? [] : [modelsContainer(images.recorder, models)]),
        browserContainer(config, images.browser, deadlines),
      ],
      containers: [harnessContainer(config, harness)],
      volumes: [
        ...podVolumes({ suiteConfigMap, mailSecret, references: harness.references?.name ?? null }),
        ...(models === null ? [] : modelsVolumes(models)),
      ],
    },
  };
  return mergePodTemplate(pod, input.podTemplate);
}
