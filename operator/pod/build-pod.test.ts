import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { gatewayConfig } from '../../benchmark/protocol/model-gateway.ts';
import { runConfig } from '../../benchmark/protocol/run-config.ts';
import { harness } from '../../crds/blocks/agents.ts';
import { deadlines } from '../../crds/blocks/limits.ts';
import type { PodTemplate } from '../../crds/blocks/pod-template.ts';
import { validateHarness } from '../harnesses.ts';
import { runLabels } from '../labels.ts';
import { buildPod, type PodInput } from './build-pod.ts';
import type { PodModels } from './models-sidecar.ts';
import { mergePodTemplate, validatePodTemplate } from './user-pod-template.ts';

const input = (change: Partial<PodInput> = {}): PodInput => ({
  name: 'nightly-0123456789ab-a1',
  owner: {
    apiVersion: 'claw-bench.com/v1alpha1',
    kind: 'ClawBenchRun',
    name: 'nightly-0123456789ab',
    uid: 'run-uid',
    controller: true,
  },
  ...runLabels({ batch: 'nightly', model: 'm1', harness: 'null', task: '001-a' }),
  config: runConfig.parse({
    namespace: 'bench',
    run: 'nightly-0123456789ab',
    runUID: 'run-uid',
    batch: 'nightly',
    batchUID: 'batch-uid',
    attempt: 1,
    suite: 'v1-lite',
    caseName: '001-a',
    taskSha256: 'a'.repeat(64),
    model: 'm1',
    harness: 'null',
    harnessImage: 'null:1',
    repetition: 1,
    runPrefix: 'm1/batch-nightly--null--m1/m1/00001-01-nightly-0123456789ab',
    artifacts: { kind: 's3', s3: { bucket: 'traces', endpoint: 'http://s3.bench.svc:9000', prefix: 'nightly' } },
  }),
  harness: harness.parse({ name: 'null' }),
  images: { recorder: 'recorder:1', browser: 'browser:1', judge: 'judge:1', harnesses: {} },
  deadlines: deadlines.parse({}),
  storeSecret: 's3',
  suiteConfigMap: 'v1-lite',
  mailSecret: null,
  models: null,
  podTemplate: {},
  ...change,
});
interface PodYaml {
  spec: {
    containers: {
      name: string;
      securityContext: object;
      env: { name: string; value?: string }[];
      volumeMounts: { name: string }[];
    }[];
    initContainers: {
      name: string;
      securityContext: object;
      resources: object;
      env?: { name: string; value?: string }[];
      volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
    }[];
    volumes: { name: string; secret?: { secretName: string; optional: boolean } }[];
  };
  metadata: { labels: Record<string, string> };
}
const built = (change: Partial<PodInput> = {}): PodYaml => parse(stringify(buildPod(input(change)))) as PodYaml;

describe('the pod of an attempt', () => {
  it('golden', async () => {
    await expect(stringify(buildPod(input()), { aliasDuplicateObjects: false })).toMatchFileSnapshot('golden/pod.yaml');
  });

  it('satisfies the restricted standard: every container drops all capabilities and forbids escalation', () => {
    const { containers, initContainers } = built().spec;
    for (const { securityContext } of [...containers, ...initContainers]) {
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    }
  });

  it('only the recorder has store credentials, and no container has a token', () => {
    const text = stringify(buildPod(input()));
    expect(text.match(/secretKeyRef/g)).toHaveLength(3);
    expect(text).toContain('automountServiceAccountToken: false');
    expect(built().spec.containers[0]?.env.some((one) => one.name.startsWith('AWS_'))).toBe(false);
  });

  it('DoorOnly needs no seccomp profile on the node', () => {
    const config = { ...input().config, browser: { ...input().config.browser, isolation: 'DoorOnly' as const } };
    expect(stringify(buildPod(input({ config })))).not.toContain('Localhost');
  });

  it("a harness's own variables never replace those of the contract", () => {
    const own = harness.parse({
      name: 'null',
      env: [
        { name: 'MODEL_NAME', value: 'evil' },
        { name: 'CLICKS', value: '9' },
      ],
    });
    const env = built({ harness: own }).spec.containers[0]?.env ?? [];
    expect(env.filter((one) => one.name === 'MODEL_NAME')).toEqual([{ name: 'MODEL_NAME', value: 'm1' }]);
    expect(env.at(-1)).toEqual({ name: 'CLICKS', value: '9' });
  });

  it("the contract's variables are rejected in a spec, each by name", () => {
    for (const { name } of built().spec.containers[0]?.env ?? []) {
      const { images } = input();
      expect(
        validateHarness(harness.parse({ name: 'mine', image: 'mine:1', env: [{ name }] }), 'spec.harness', images),
      ).toContain(name);
    }
  });

  describe('whose harness calls a model, with mail', () => {
    const models: PodModels = {
      secret: 'models',
      config: gatewayConfig.parse({ harness: 'hermes', model: 'm1', caps: { costUSD: 2 } }),
    };
    const config = { ...input().config, modelGateway: true };
    const change: Partial<PodInput> = {
      config,
      models,
      mailSecret: 'mail',
      harness: harness.parse({ name: 'hermes' }),
    };
    const { containers, initContainers, volumes } = built(change).spec;
    const holders = (volume: string): string[] =>
      [...initContainers, ...containers]
        .filter(({ volumeMounts }) => volumeMounts.some(({ name }) => name === volume))
        .map(({ name }) => name);

    it('golden: the gateway starts after the recorder and before the browser', async () => {
      expect(initContainers.map(({ name }) => name)).toEqual(['shim', 'recorder', 'models', 'browser']);
      await expect(stringify(initContainers[2])).toMatchFileSnapshot('golden/models-container.yaml');
    });

    it('satisfies the restricted standard', () => {
      for (const { securityContext } of initContainers)
        expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    });

    it('each Secret is in one container, and the harness cannot reach what the gateway counts', () => {
      expect([holders('models'), holders('mail'), holders('model-calls')]).toEqual([
        ['models'],
        ['recorder'],
        ['recorder', 'models'],
      ]);
      const counted = initContainers[1]?.volumeMounts.find(({ name }) => name === 'model-calls');
      expect(counted?.readOnly).toBe(true);
    });

    it('a missing Secret is optional: it becomes a message', () => {
      expect(volumes.filter(({ secret }) => secret !== undefined)).toEqual([
        { name: 'mail', secret: { secretName: 'mail', optional: true } },
        { name: 'models', secret: { secretName: 'models', optional: true } },
      ]);
    });

    it("the harness has the gateway's address and a placeholder key", () => {
      const env = Object.fromEntries((containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
      expect(env).toMatchObject({ BASE_URL: 'http://127.0.0.1:4100', API_KEY: 'clawbench', API_KEYS: '["clawbench"]' });
    });
  });

  it("the recorder gets a harness's secrets by reference, to redact them", () => {
    const valueFrom = { secretKeyRef: { name: 'mine', key: 'token' } };
    const own = harness.parse({
      name: 'null',
      env: [
        { name: 'SITE_TOKEN', valueFrom },
        { name: 'X', value: '1' },
      ],
    });
    const [, recorder] = built({ harness: own }).spec.initContainers;
    const reported = recorder?.env?.filter(({ name }) => name.startsWith('CLAWBENCH_REDACT_'));
    expect(reported).toEqual([{ name: 'CLAWBENCH_REDACT_0', valueFrom }]);
  });
});

describe('podTemplate', () => {
  it.each<[PodTemplate, RegExp | null]>([
    [{}, null],
    [{ spec: { nodeSelector: { a: 'b' }, tolerations: [] } }, null],
    [{ spec: { containers: [{ name: 'harness', resources: {} }] } }, null],
    [{ spec: { hostNetwork: true } }, /^spec\.podTemplate\.spec\.hostNetwork is set by the operator; remove it\./],
    [{ spec: { volumes: [] } }, /spec\.volumes/],
    [{ spec: { containers: [{ name: 'spy' }] } }, /spec\.containers\[0\]\.name/],
    [{ spec: { initContainers: [{ name: 'browser', image: 'x' }] } }, /spec\.initContainers\[0\]\.image/],
    [{ spec: { containers: {} } }, /must be a list/],
    [{ metadata: { labels: { 'claw-bench.com/run': 'x' } } }, /metadata\.labels\[claw-bench\.com\/run\]/],
    [{ metadata: { labels: { 'a.b/c_d': 'X.y_z-1', plain: '' }, annotations: { 'a/b': 'any\nthing' } } }, null],
    [{ metadata: { labels: { 'a b': 'x' } } }, /metadata\.labels\["a b"\] is not a valid label key/],
    [{ metadata: { labels: { [`${'n'.repeat(64)}`]: 'x' } } }, /is not a valid label key/],
    [{ metadata: { labels: { 'UPPER/x': 'x' } } }, /is not a valid label key/],
    [{ metadata: { labels: { '': 'x' } } }, /is not a valid label key/],
    [
      { metadata: { labels: { a: 'x y' } } },
      /metadata\.labels\[a\] has the value "x y", which is not a valid label value/,
    ],
    [{ metadata: { labels: { a: 'x'.repeat(64) } } }, /which is not a valid label value/],
    [{ metadata: { annotations: { 'a//b': 'x' } } }, /metadata\.annotations\["a\/\/b"\] is not a valid annotation key/],
    [
      {
        metadata: {
          annotations: Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`a${i}`, 'ü'.repeat(4096)])),
        },
      },
      /metadata\.annotations are larger than 200 kB/,
    ],
    [{ spec: { containers: [{ name: 'harness', resources: { limits: { memory: '1.5Gi', cpu: 2 } } }] } }, null],
    [
      { spec: { containers: [{ name: 'harness', resources: { limits: { memory: '1 GB' } } }] } },
      /spec\.containers\[0\]\.resources\.limits\.memory is "1 GB", which is not a valid quantity/,
    ],
    [
      { spec: { containers: [{ name: 'harness', resources: { requests: { cpu: '-1' } } }] } },
      /is not a valid quantity/,
    ],
    [
      { spec: { containers: [{ name: 'harness', resources: { requests: { cpu: null } } }] } },
      /is not a valid quantity/,
    ],
    [{ spec: { containers: [{ name: 'harness', resources: { limits: '1' } }] } }, /resources\.limits must be a map/],
    [{ spec: { containers: [{ name: 'harness', resources: 1 }] } }, /resources must be a map/],
    [{ spec: { nodeSelector: 'a=b' } }, /spec\.nodeSelector must be a map/],
    [{ spec: { tolerations: {} } }, /spec\.tolerations must be a list/],
    [{ spec: { runtimeClassName: ['gvisor'] } }, /spec\.runtimeClassName must be a string/],
  ])('%j', (template, expected) => {
    const problem = validatePodTemplate(template);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatch(expected);
  });

  it('adds scheduling and labels, and raises one limit without touching the others', () => {
    const podTemplate = {
      metadata: { labels: { team: 'x' } },
      spec: {
        nodeSelector: { pool: 'bench' },
        containers: [{ name: 'browser', resources: { limits: { memory: '6Gi' } } }],
      },
    };
    const pod = built({ podTemplate });
    expect(pod.metadata.labels).toMatchObject({ team: 'x', 'claw-bench.com/batch': 'nightly' });
    const browser = pod.spec.initContainers.find((one) => one.name === 'browser');
    expect(browser?.resources).toEqual({ requests: { cpu: '300m', memory: '640Mi' }, limits: { memory: '6Gi' } });
    expect(mergePodTemplate(buildPod(input()), {})).toEqual(buildPod(input()));
  });
});
