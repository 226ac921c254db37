import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { runConfig } from '../../benchmark/protocol/run-config.ts';
import { harness } from '../../crds/blocks/agents.ts';
import { deadlines } from '../../crds/blocks/limits.ts';
import type { PodTemplate } from '../../crds/blocks/pod-template.ts';
import { runLabels } from '../labels.ts';
import { buildPod, type PodInput } from './pod.ts';
import { mergePodTemplate, podTemplateProblem } from './pod-template.ts';

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
  podTemplate: {},
  ...change,
});
interface PodYaml {
  spec: {
    containers: { name: string; securityContext: object; env: { name: string; value?: string }[] }[];
    initContainers: { name: string; securityContext: object; resources: object; env: { name: string }[] }[];
  };
  metadata: { labels: Record<string, string> };
}
const built = (change: Partial<PodInput> = {}): PodYaml => parse(stringify(buildPod(input(change)))) as PodYaml;

describe('the pod of an attempt', () => {
  it('golden', async () => {
    await expect(stringify(buildPod(input()), { aliasDuplicateObjects: false })).toMatchFileSnapshot('golden/pod.yaml');
  });

  it('passes the restricted standard: every container drops all and forbids escalation', () => {
    const { containers, initContainers } = built().spec;
    for (const { securityContext } of [...containers, ...initContainers]) {
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    }
  });

  it('only the recorder holds store credentials, and nobody a token', () => {
    const text = stringify(buildPod(input()));
    expect(text.match(/secretKeyRef/g)).toHaveLength(3);
    expect(text).toContain('automountServiceAccountToken: false');
    expect(built().spec.containers[0]?.env.some((one) => one.name.startsWith('AWS_'))).toBe(false);
  });

  it('DoorOnly needs no profile on the node', () => {
    const config = { ...input().config, browser: { ...input().config.browser, isolation: 'DoorOnly' as const } };
    expect(stringify(buildPod(input({ config })))).not.toContain('Localhost');
  });

  it("a harness's own variables never replace the contract's", () => {
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

  it("the recorder is told a harness's secrets by reference, to redact them", () => {
    const valueFrom = { secretKeyRef: { name: 'mine', key: 'token' } };
    const own = harness.parse({
      name: 'null',
      env: [
        { name: 'SITE_TOKEN', valueFrom },
        { name: 'X', value: '1' },
      ],
    });
    const [, recorder] = built({ harness: own }).spec.initContainers;
    const told = recorder?.env.filter(({ name }) => name.startsWith('CLAWBENCH_REDACT_'));
    expect(told).toEqual([{ name: 'CLAWBENCH_REDACT_0', valueFrom }]);
  });
});

describe('podTemplate', () => {
  it.each<[PodTemplate, RegExp | null]>([
    [{}, null],
    [{ spec: { nodeSelector: { a: 'b' }, tolerations: [] } }, null],
    [{ spec: { containers: [{ name: 'harness', resources: {} }] } }, null],
    [{ spec: { hostNetwork: true } }, /^spec\.podTemplate\.spec\.hostNetwork belongs to the operator/],
    [{ spec: { volumes: [] } }, /spec\.volumes/],
    [{ spec: { containers: [{ name: 'spy' }] } }, /spec\.containers\[0\]\.name/],
    [{ spec: { initContainers: [{ name: 'browser', image: 'x' }] } }, /spec\.initContainers\[0\]\.image/],
    [{ spec: { containers: {} } }, /must be a list/],
    [{ metadata: { labels: { 'claw-bench.com/run': 'x' } } }, /metadata\.labels\[claw-bench\.com\/run\]/],
  ])('%j', (template, expected) => {
    const problem = podTemplateProblem(template);
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
