import { MODEL_CALLS_DIR, MODELS_SECRET_DIR, type GatewayConfig } from '../../benchmark/protocol/model-gateway.ts';
import { READ_ONLY, type Container } from './containers.ts';
import type { Volume } from './volumes.ts';

/** Settings of a Pod's model gateway. */
export interface PodModels {
  /** Name of the models Secret. */
  readonly secret: string;
  readonly config: GatewayConfig;
}

/**
 * The only container with API keys. It has no startup probe: the recorder arms interception only when the gateway has
 * reported that it listens, and the kubelet starts the harness only after that. A probe would only delay the browser's
 * start.
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

/** Optional: a missing Secret becomes a message of the gateway, not a Pod that hangs without one. */
export function modelsVolumes(models: PodModels): Volume[] {
  return [
    { name: 'models', secret: { secretName: models.secret, optional: true } },
    { name: 'model-calls', emptyDir: { sizeLimit: '256Mi' } },
  ];
}
