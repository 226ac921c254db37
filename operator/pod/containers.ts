import { MODEL_GATEWAY_PORT, PLACEHOLDER_KEY } from '../../benchmark/protocol/model-gateway.ts';
import { PORTS, RUN_DIR, RUN_FILES, SHIM_BINARY, SHIM_DIR } from '../../benchmark/protocol/pod-paths.ts';
import type { RunConfig } from '../../benchmark/protocol/run-config.ts';
import type { Harness } from '../../crds/blocks/agents.ts';
import type { Deadlines } from '../../crds/blocks/limits.ts';
import type { Pod } from '../../kube/kinds.ts';
import { browserMounts, harnessMounts, recorderMounts, REFERENCES_DIR } from './volumes.ts';

type PodSpec = NonNullable<Pod['spec']>;
export type Container = PodSpec['containers'][number];
type EnvVar = NonNullable<Container['env']>[number];
type SecurityContext = NonNullable<Container['securityContext']>;

/** The kubelet must not restart a sidecar before the operator's own deadline has stopped the pod; seconds. */
const PROBE_SLACK = 300;
/** The longest wait of one `clawbench-shim await` (images/shim/shim.go); seconds. */
const AWAIT_SECONDS = 25;

/** The profile that lets Chromium create its own sandbox and namespaces. The chart installs it on the nodes. */
export const BROWSER_SECCOMP = 'clawbench-browser.json';

const RESTRICTED: SecurityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
export const READ_ONLY: SecurityContext = { ...RESTRICTED, readOnlyRootFilesystem: true };

/** Copies the static binary that wraps the harness, because it must run in any image. */
export function shimContainer(image: string): Container {
  return {
    name: 'shim',
    image,
    command: ['cp', `/app/${SHIM_BINARY}`, `${SHIM_DIR}/${SHIM_BINARY}`],
    securityContext: READ_ONLY,
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
    volumeMounts: [{ name: 'shim', mountPath: SHIM_DIR }],
  };
}

export interface RecorderOptions {
  readonly image: string;
  readonly deadlines: Deadlines;
  readonly storeSecret: string | null;
  /** The suite is a mounted ConfigMap. */
  readonly suiteMounted: boolean;
  /** The mail Secret is mounted. */
  readonly mail: boolean;
}

/**
 * The harness's own secrets, so that the recorder knows what to redact. The kubelet reads them, the operator never
 * does.
 */
function redactEnv(harness: Harness): EnvVar[] {
  const secret = harness.env.filter((variable) => variable.valueFrom?.secretKeyRef !== undefined) as EnvVar[];
  return secret.map(({ valueFrom }, i) => ({ name: `CLAWBENCH_REDACT_${String(i)}`, valueFrom }) as EnvVar);
}

/** The first sidecar, so it stops last. Only it has the store's credentials. */
export function recorderContainer(config: RunConfig, harness: Harness, options: RecorderOptions): Container {
  return {
    name: 'recorder',
    image: options.image,
    restartPolicy: 'Always',
    command: ['node', '/app/recorder.js'],
    env: [
      { name: 'CLAWBENCH_RUN', value: JSON.stringify(config) },
      ...storeEnv(options.storeSecret),
      ...redactEnv(harness),
    ],
    ports: [{ name: 'progress', containerPort: PORTS.progress }],
    securityContext: READ_ONLY,
    resources: { requests: { cpu: '100m', memory: '160Mi' }, limits: { memory: '512Mi' } },
    startupProbe: fileProbe('/app', RUN_FILES.recorderReady, options.deadlines),
    // The static shim instead of a second Node process, which would cost CPU at every Pod's end.
    lifecycle: { preStop: { exec: { command: [`/app/${SHIM_BINARY}`, 'stop'] } } },
    volumeMounts: recorderMounts({ suite: options.suiteMounted, mail: options.mail, models: config.modelGateway }),
  };
}

/**
 * Passes as soon as the file is in the run folder. One probe that waits instead of one per second: each probe starts a
 * process in the container and is up to a second late.
 * @param shimDir where the container finds the shim.
 */
function fileProbe(shimDir: string, file: string, deadlines: Deadlines): NonNullable<Container['startupProbe']> {
  return {
    exec: { command: [`${shimDir}/${SHIM_BINARY}`, 'await', `${RUN_DIR}/${file}`] },
    periodSeconds: 1,
    timeoutSeconds: AWAIT_SECONDS + 35,
    failureThreshold: deadlines.setupSeconds + PROBE_SLACK,
  };
}

/** Credentials of the object store, by reference. The kubelet reads them, the operator never does. */
export function storeEnv(secret: string | null, allOptional = false): EnvVar[] {
  if (secret === null) return [];
  const from = (name: string, key: string, optional: boolean): EnvVar => ({
    name,
    valueFrom: { secretKeyRef: { name: secret, key, ...(optional ? { optional } : {}) } },
  });
  return [
    from('AWS_ACCESS_KEY_ID', 'accessKeyId', allOptional),
    from('AWS_SECRET_ACCESS_KEY', 'secretAccessKey', allOptional),
    from('AWS_SESSION_TOKEN', 'sessionToken', true),
  ];
}

/**
 * Its startup probe passes only when interception is armed, so the kubelet itself keeps every agent from starting
 * earlier.
 */
export function browserContainer(config: RunConfig, image: string, deadlines: Deadlines): Container {
  const { isolation, viewport, recording } = config.browser;
  const seccomp: SecurityContext =
    isolation === 'Namespace' ? { seccompProfile: { type: 'Localhost', localhostProfile: BROWSER_SECCOMP } } : {};
  return {
    name: 'browser',
    image,
    restartPolicy: 'Always',
    env: [
      { name: 'HOME', value: '/tmp' },
      { name: 'CLAWBENCH_ISOLATION', value: isolation },
      { name: 'CLAWBENCH_VIEWPORT', value: `${String(viewport.width)}x${String(viewport.height)}` },
      { name: 'CLAWBENCH_RECORDING', value: recording },
    ],
    securityContext: { ...READ_ONLY, ...seccomp },
    resources: { requests: { cpu: '300m', memory: '640Mi' }, limits: { memory: '3Gi' } },
    startupProbe: fileProbe(SHIM_DIR, RUN_FILES.armed, deadlines),
    volumeMounts: browserMounts(),
  };
}

/** The only main container: when it ends, the pod ends. */
export function harnessContainer(config: RunConfig, harness: Harness): Container {
  const contract = contractEnv(config);
  const taken = new Set(contract.map((variable) => variable.name));
  const own = harness.env.filter((variable) => !taken.has(variable.name)) as EnvVar[];
  const user: SecurityContext = harness.runAsRoot ? { runAsUser: 0, runAsGroup: 0, runAsNonRoot: false } : {};
  return {
    name: 'harness',
    image: config.harnessImage,
    command: [`${SHIM_DIR}/${SHIM_BINARY}`, '--', '/run-harness.sh'],
    env: [...contract, ...own],
    securityContext: { ...RESTRICTED, ...user },
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '1Gi' } },
    volumeMounts: harnessMounts(harness.references !== undefined),
  };
}

/** Upstream's contract, without the variables that the shim sets at startup. */
function contractEnv(config: RunConfig): EnvVar[] {
  const values: Record<string, string> = {
    MODEL_NAME: config.model,
    BASE_URL: '',
    API_TYPE: '',
    API_KEY: '',
    API_KEYS: '[]',
    ...(config.modelGateway ? MODELS_ENV : {}),
    CLAWBENCH_BROWSER_MODE: 'local',
    CLAWBENCH_RECORDING_MODE: 'x11',
    CLAWBENCH_BROWSER_CDP_URL: `http://127.0.0.1:${String(PORTS.devTools)}`,
    CLAWBENCH_DATA_DIR: '/data',
    CLAWBENCH_CONTROL_URL: `http://127.0.0.1:${String(PORTS.control)}`,
    CLAWBENCH_CASE: config.caseName,
    CLAWBENCH_REFERENCES_DIR: REFERENCES_DIR,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/**
 * What the harness is told about its model gateway before the model's API type is known. The recorder adds that and the
 * path.
 */
const MODELS_ENV: Readonly<Record<string, string>> = {
  BASE_URL: `http://127.0.0.1:${String(MODEL_GATEWAY_PORT)}`,
  API_KEY: PLACEHOLDER_KEY,
  API_KEYS: JSON.stringify([PLACEHOLDER_KEY]),
};
