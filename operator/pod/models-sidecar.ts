import { MODEL_CALLS_DIR, MODELS_SECRET_DIR, type GatewayConfig } from '../../benchmark/protocol/model-gateway.ts';
import { READ_ONLY, type Container } from './containers.ts';
import type { Volume } from './volumes.ts';

/** What the model gateway of a Pod needs. */
export interface PodModels {
  /** Name of the models Secret. */
  readonly secret: string;
  readonly config: GatewayConfig;
}

/**
 * The one container with API keys. No startup probe: the recorder arms the interception only when the gateway has said
 * that it listens, and kubelet starts the harness only then; a probe would hold the browser's start back for nothing.
 */
export function modelsContainer(image: string, models: PodModels): Container {
  return {
    name: 'models',
    image,
    restartPolicy: 'Always',
    command: ['node', '/app/models.js'],
    env: [{ name: 'CLAWBENCH_MODELS', value: JSON.stringify(models.config) }],
    securityContext: READ_ONLY,
    resources: { requests: { cpu: '20m', memory: '96Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [
      { name: 'models', mountPath: MODELS_SECRET_DIR, readOnly: true },
      { name: 'model-calls', mountPath: MODEL_CALLS_DIR },
    ],
  };
}

/** Optional: a Secret that is missing becomes the gateway's sentence, not a Pod that hangs without one. */
export function modelsVolumes(models: PodModels): Volume[] {
  return [
    { name: 'models', secret: { secretName: models.secret, optional: true } },
    { name: 'model-calls', emptyDir: { sizeLimit: '256Mi' } },
  ];
}
