import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pushSuite } from '../../cli/tasks/push.ts';
import { createClient } from '../../kube/client.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import { aBatch, type BatchDocument } from './batch-file.ts';

/** One clear sentence for each kind of bad input, and nothing harmed: no Pod of a run is ever made for these. */

const namespace = inject('namespace');
const names: string[] = [];

const brokenTask = JSON.stringify({
  instruction: 'x',
  eval_schema: { url_pattern: '(?<=a)b', method: 'POST' },
  time_limit: 5,
});

beforeAll(async () => {
  const client = createClient();
  await pushSuite(client, namespace, 'bad-regex', [{ path: 'bad-1/task.json', bytes: Buffer.from(brokenTask) }]);
  await client.close();
  const map = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'not-a-suite', namespace },
    binaryData: { 'suite.tar.gz': gzipSync('x').toString('base64') },
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's3-wrong', namespace },
    stringData: { accessKeyId: 'nobody', secretAccessKey: 'x' },
  };
  await kubectl(['apply', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [map, secret] }),
  });
});

afterAll(async () => {
  if (names.length > 0)
    await kubectl(['-n', namespace, 'delete', 'cbb', ...names, '--ignore-not-found', '--timeout=60s']);
});

interface View {
  status?: { conditions?: { type: string; status: string; message: string }[] };
}

async function acceptedMessage(name: string): Promise<string> {
  const { status } = JSON.parse(await kubectl(['-n', namespace, 'get', 'cbb', name, '-o', 'json'])) as View;
  const accepted = status?.conditions?.find((one) => one.type === 'Accepted');
  return accepted?.status === 'False' ? accepted.message : '';
}

const CASES: readonly [string, (batch: BatchDocument) => void, RegExp][] = [
  ['unknown-suite', ({ spec }) => (spec.suite.configMapRef.name = 'nowhere'), /spec\.suite\.configMapRef.*nowhere/],
  ['no-suite-inside', ({ spec }) => (spec.suite.configMapRef.name = 'not-a-suite'), /not a tar/],
  [
    'unknown-model',
    ({ spec }) => (spec.models = { secretRef: { name: 'models', key: 'models.yaml' }, names: ['gpt-0'] }),
    /spec\.models\.names.*gpt-0/,
  ],
  ['unknown-judge', ({ spec }) => (spec.judge.model = 'nobody'), /spec\.judge\.model.*nobody/],
  ['missing-secret', ({ spec }) => (spec.judge.modelsSecretRef.name = 'gone'), /spec\.judge\.modelsSecretRef.*gone/],
  ['missing-s3-secret', ({ spec }) => (spec.artifacts.s3.secretRef.name = 'gone'), /spec\.artifacts\.s3.*gone/],
  [
    'wrong-s3-keys',
    ({ spec }) => (spec.artifacts.s3.secretRef.name = 's3-wrong'),
    /spec\.artifacts\.s3.*refused the credentials/,
  ],
  ['bad-regex', ({ spec }) => (spec.suite.configMapRef.name = 'bad-regex'), /task bad-1.*look/],
  [
    'nothing-selected',
    ({ spec }) => (spec.suite.select = { cases: ['no-such-*'] }),
    /spec\.suite\.select matches no task/,
  ],
  ['later-feature', ({ spec }) => (spec['queueName'] = 'team-a'), /spec\.queueName/],
  ['unknown-harness', ({ spec }) => (spec.harnesses = [{ name: 'hermes' }]), /hermes/],
];

it('is refused in a sentence that names the field', async () => {
  for (const [name, change] of CASES) {
    names.push(name);
    await kubectl(['apply', '-f', '-'], { input: JSON.stringify(aBatch(namespace, name, change)) });
  }
  for (const [name, , message] of CASES) {
    await expect.poll(() => acceptedMessage(name), { timeout: 90_000, interval: 1000, message: name }).toMatch(message);
  }
  const runs = await kubectl(['-n', namespace, 'get', 'cbr', '-o', 'name']);
  expect(runs.split('\n').filter((line) => CASES.some(([name]) => line.includes(`/${name}-`)))).toEqual([]);
}, 240_000);

it('is refused by the API server at once: long names, an edited spec', async () => {
  const long = aBatch(namespace, 'n'.repeat(300));
  await expect(kubectl(['apply', '-f', '-'], { input: JSON.stringify(long) })).rejects.toThrow(/metadata\.name/);
  const over = aBatch(namespace, 'n'.repeat(41));
  await expect(kubectl(['apply', '-f', '-'], { input: JSON.stringify(over) })).rejects.toThrow(/40/);
  const patch = JSON.stringify({ spec: { repetitions: 2 } });
  await expect(
    kubectl(['-n', namespace, 'patch', 'cbb', 'unknown-suite', '--type=merge', '-p', patch]),
  ).rejects.toThrow(/spec\.repetitions/);
});

it('says why a Pod does not start: an image that cannot be pulled', async () => {
  const name = 'no-image';
  names.push(name);
  const batch = aBatch(namespace, name, ({ spec }) => {
    spec.harnesses = [{ name: 'null', image: '127.0.0.1:15000/no/such:image' }];
    spec.suite.select = { limit: 1 };
  });
  await kubectl(['apply', '-f', '-'], { input: JSON.stringify(batch) });
  const reason = async (): Promise<string> =>
    kubectl([
      '-n',
      namespace,
      'get',
      'cbr',
      '-l',
      `claw-bench.com/batch=${name}`,
      '-o',
      'jsonpath={.items[0].status.pendingReason}',
    ]);
  await expect.poll(reason, { timeout: 90_000, interval: 1000 }).toMatch(/no\/such:image/);
}, 120_000);
