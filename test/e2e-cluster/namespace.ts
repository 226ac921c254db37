import { randomBytes } from 'node:crypto';
import { kubectl } from './commands.ts';

type Manifest = Readonly<Record<string, unknown>>;

/** On everything that the tests or the demo create. */
export const DEMO_LABEL = 'app.kubernetes.io/name=clawbench-demo';
const labels = Object.fromEntries([DEMO_LABEL.split('=')]);

/** A namespace in which only `restricted` pods may run, since runs must need no more. */
export function namespaceManifest(name: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
  };
}

export function secretManifest(
  namespace: string,
  name: string,
  stringData: Readonly<Record<string, string>>,
): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels }, stringData };
}

interface Server {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly port: number;
  readonly env?: readonly { name: string; value?: string; valueFrom?: unknown }[];
  readonly volumes?: readonly { name: string; path: string }[];
}

/** One server as a Pod and a Service of its name. */
export function serverManifests(namespace: string, server: Server): readonly Manifest[] {
  const own = { ...labels, 'app.kubernetes.io/component': server.name };
  const volumes = server.volumes ?? [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: server.name, namespace, labels: own },
      spec: { selector: own, ports: [{ port: server.port, targetPort: server.port }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: server.name, namespace, labels: own },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name: server.name,
            image: server.image,
            command: server.command,
            env: [{ name: 'PORT', value: String(server.port) }, ...(server.env ?? [])],
            ports: [{ containerPort: server.port }],
            readinessProbe: { tcpSocket: { port: server.port }, periodSeconds: 1 },
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            volumeMounts: volumes.map(({ name, path }) => ({ name, mountPath: path })),
          },
        ],
        volumes: volumes.map(({ name }) => ({ name, emptyDir: {} })),
      },
    },
  ];
}

/** Keys of the S3 store, generated for each set-up. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Everything a demo batch needs beside the operator: Secrets, S3 with a bucket, the sites, the judge. */
export function demoManifests(namespace: string, image: string, keys: S3Keys): readonly Manifest[] {
  const models = {
    'demo-rules': {
      base_url: `http://demo-judge.${namespace}.svc:8081/v1`,
      api_type: 'openai-completions',
      api_key: randomBytes(12).toString('hex'),
    },
  };
  const fromSecret = (name: string, key: string): { name: string; valueFrom: unknown } => ({
    name,
    valueFrom: { secretKeyRef: { name: 's3', key } },
  });
  return [
    namespaceManifest(namespace),
    secretManifest(namespace, 's3', { ...keys }),
    secretManifest(namespace, 'models', { 'models.yaml': JSON.stringify(models) }),
    ...serverManifests(namespace, {
      name: 's3',
      image,
      // The directory is the bucket: versitygw serves each folder below its root as one.
      command: ['sh', '-c', 'mkdir -p /store/traces && exec /app/versitygw --port :$PORT posix /store'],
      port: 9000,
      env: [fromSecret('ROOT_ACCESS_KEY', 'accessKeyId'), fromSecret('ROOT_SECRET_KEY', 'secretAccessKey')],
      volumes: [{ name: 'store', path: '/store' }],
    }),
    ...serverManifests(namespace, { name: 'demo-sites', image, command: ['node', '/app/site.js'], port: 8080 }),
    ...serverManifests(namespace, { name: 'demo-judge', image, command: ['node', '/app/judge.js'], port: 8081 }),
  ];
}

export function newS3Keys(): S3Keys {
  return { accessKeyId: `demo${randomBytes(6).toString('hex')}`, secretAccessKey: randomBytes(20).toString('hex') };
}

/** Applies objects and waits until the servers are ready. The manifests hold secrets: they go by stdin, never by argument. */
export async function applyAndWait(namespace: string, manifests: readonly Manifest[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: manifests };
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input: JSON.stringify(list) });
  await kubectl([
    '-n',
    namespace,
    'wait',
    '--for=condition=Ready',
    'pod',
    '-l',
    'app.kubernetes.io/name=clawbench-demo',
    '--timeout=90s',
  ]);
}
