import type { ClawBenchBatchSpecInput } from './batch.ts';
import { API_VERSION, BATCH_KIND, RUN_KIND } from './group.ts';
import type { ClawBenchRunSpecInput } from './run.ts';

/** Manifests for tests: the minimum that is accepted, and one with every field set to a value that is not its default. */

export interface SampleManifest<Spec> {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: Spec;
}

export const batchManifest = (
  spec: ClawBenchBatchSpecInput,
  name = 'sample',
): SampleManifest<ClawBenchBatchSpecInput> => ({
  apiVersion: API_VERSION,
  kind: BATCH_KIND,
  metadata: { name },
  spec,
});

export const runManifest = (spec: ClawBenchRunSpecInput, name = 'sample'): SampleManifest<ClawBenchRunSpecInput> => ({
  apiVersion: API_VERSION,
  kind: RUN_KIND,
  metadata: { name },
  spec,
});

export const leastBatch = (): ClawBenchBatchSpecInput => ({
  suite: { name: 'demo', configMapRef: { name: 'demo' } },
  models: { names: ['none'] },
  harnesses: [{ name: 'null' }],
  artifacts: { s3: { bucket: 'traces' } },
});

const pod = {
  metadata: { labels: { team: 'eval' }, annotations: { note: 'nightly' } },
  spec: { nodeSelector: { pool: 'browsers' }, runtimeClassName: 'gvisor', tolerations: [{ key: 'spot' }] },
};

/** Blocks that both kinds have. Every value differs from its default. */
const blocks = {
  judge: {
    modelsSecretRef: { name: 'judge-models', key: 'judge.yaml' },
    model: 'a-judge',
    rubrics: ['Strict' as const, 'Answer' as const],
    passRubric: 'Answer' as const,
    workers: 4,
    agentic: { enabled: true, referencePrefix: 'human/' },
  },
  browser: {
    runtime: 'RemoteCDP' as const,
    viewport: { width: 1280, height: 720 },
    liveView: true,
    recording: 'ScreenshotsOnly' as const,
    isolation: 'DoorOnly' as const,
    locale: 'de-DE',
    timezone: 'Europe/Berlin',
    profile: { configMapRef: { name: 'profile' } },
    extensions: { image: 'registry.example/extensions:1' },
    remote: { secretRef: { name: 'remote' }, options: { region: 'eu' } },
  },
  network: {
    allow: ['site.bench.svc:80'],
    map: [{ host: 'shop.example.com', address: 'site.bench.svc:443' }],
    upstreamProxySecretRef: { name: 'proxy' },
    httpProxySecretRef: { name: 'corporate-proxy' },
    caBundleConfigMapRef: { name: 'authorities' },
  },
  mail: { provider: 'Static' as const, secretRef: { name: 'mail' } },
  artifacts: {
    s3: {
      endpoint: 'http://s3.bench.svc:9000',
      bucket: 'traces',
      prefix: 'nightly',
      region: 'eu-central-1',
      forcePathStyle: false,
      secretRef: { name: 's3' },
    },
  },
  retry: {
    infrastructureLimit: 5,
    rules: [{ outcomes: ['TimedOut' as const], reasons: ['AgentIdle'], action: 'Retry' as const, limit: 1 }],
  },
  deadlines: {
    pendingSeconds: 900,
    setupSeconds: 60,
    agentStartSeconds: 60,
    idleSeconds: 200,
    tailSeconds: 15,
    agentKillSeconds: 10,
    finaliseSeconds: 90,
    uploadSeconds: 200,
    graceSeconds: 500,
    judgeSeconds: 3600,
  },
  podTemplate: pod,
  queueName: 'evaluations',
};

const budget = { costUSD: 40, tokens: 50_000_000, perRunCostUSD: 2, onExceeded: 'Cancel' as const };

const harness = {
  name: 'replay',
  image: 'registry.example/replay:1',
  references: { name: 'references' },
  runAsRoot: true,
  env: [
    { name: 'PACE', value: 'fast' },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'value' } } },
  ],
};

export const fullBatch = (): ClawBenchBatchSpecInput =>
  structuredClone({
    suite: {
      name: 'v1-lite',
      configMapRef: { name: 'v1-lite' },
      select: {
        ids: '1-50, 86',
        cases: ['v1-0*'],
        categories: ['shopping'],
        sites: ['shop.example.com'],
        limit: 20,
        placeholders: 'Include',
      },
    },
    models: { secretRef: { name: 'models', key: 'all.yaml' }, names: ['model-a', 'vendor/model-b:free'] },
    harnesses: [harness, { name: 'null' }],
    repetitions: 3,
    parallelism: 20,
    limits: { perSite: 2, perModel: 10, startsPerMinute: 30 },
    budget,
    ...blocks,
    suspend: true,
    resume: true,
    rerun: { outcomes: ['Infrastructure'], tasks: ['v1-001'], nonce: '1' },
    ttlSecondsAfterFinished: 604_800,
  });

/** A run as the operator creates it for a batch. */
export const batchRun = (): ClawBenchRunSpecInput => ({
  batchRef: { name: 'sample', uid: '0a1b2c3d-0000-0000-0000-000000000000' },
  task: { ref: { case: 'v1-001', sha256: 'a'.repeat(64) } },
  model: 'model-a',
  harness: { name: 'replay' },
  repetition: 2,
});

/** The minimal standalone run. */
export const leastRun = (): ClawBenchRunSpecInput => ({
  suite: { name: 'demo' },
  task: { inline: { instruction: 'Buy the red one.', time_limit: 30 } },
  model: 'none',
  harness: { name: 'null' },
  artifacts: { s3: { bucket: 'traces' } },
});

export const fullRun = (): ClawBenchRunSpecInput =>
  structuredClone({
    suite: { name: 'v1-lite', configMapRef: { name: 'v1-lite' } },
    models: { secretRef: { name: 'models', key: 'all.yaml' } },
    task: { ref: { case: 'v1-001', sha256: 'a'.repeat(64) } },
    model: 'model-a',
    harness,
    repetition: 2,
    budget,
    ...blocks,
    suspend: true,
    resume: true,
    rerun: { nonce: '1' },
    ttlSecondsAfterFinished: 60,
  });
