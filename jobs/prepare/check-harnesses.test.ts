import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { batchSpec, type ClawBenchBatchSpecInput } from '../../crds/batch.ts';
import { leastBatch } from '../../crds/samples.fixture.ts';
import { checkHarnesses } from './check-harnesses.ts';

type Harnesses = ClawBenchBatchSpecInput['harnesses'];

function mounted(files: Readonly<Record<string, string | Uint8Array>>): { env: string; references: string } {
  const root = mkdtempSync(join(tmpdir(), 'harnesses-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { env: join(root, 'env'), references: join(root, 'references') };
}

const check = (harnesses: Harnesses, files: Parameters<typeof mounted>[0] = {}): Promise<void> =>
  checkHarnesses(batchSpec.parse({ ...leastBatch(), harnesses }).harnesses, mounted(files));

const secret = (key = 'value'): object => ({ valueFrom: { secretKeyRef: { name: 'token', key } } });
const harness = (...env: object[]): Harnesses => [
  { name: 'null' },
  { name: 'mine', image: 'mine:1', env: env.map((one, index) => ({ name: `V${String(index)}`, ...one })) },
];
const FIELD = 'spec.harnesses[1].env[0].valueFrom';

it('accepts Secrets and ConfigMaps that exist', async () => {
  await check([{ name: 'null' }]);
  await check(harness({ value: 'x' }, secret()), { 'env/secret/token/value': 'v' });
  await check([{ name: 'replay', references: { name: 'refs' } }], { 'references/0/a.jsonl': '{}' });
});

it.each<[string, { harnesses: Harnesses; files: Parameters<typeof mounted>[0] }, string, RegExp]>([
  [
    'a Secret that is not there',
    { harnesses: harness(secret()), files: {} },
    'SecretNotFound',
    /Secret token with key value not found/,
  ],
  [
    'a key that is not there',
    { harnesses: harness(secret('b')), files: { 'env/secret/token/a': 'v' } },
    'SecretNotFound',
    /key b not found/,
  ],
  [
    'a ConfigMap that is not there',
    { harnesses: harness({ valueFrom: { configMapKeyRef: { name: 'settings', key: 'k' } } }), files: {} },
    'ConfigMapNotFound',
    /ConfigMap settings with key k not found/,
  ],
  [
    'a value that no variable holds',
    { harnesses: harness(secret()), files: { 'env/secret/token/value': 'x'.repeat(131_072) } },
    'HarnessRefused',
    /longer than/,
  ],
  [
    'NUL in a value',
    { harnesses: harness(secret()), files: { 'env/secret/token/value': 'a\0b' } },
    'HarnessRefused',
    /NUL/,
  ],
  [
    'a value that is no text',
    { harnesses: harness(secret()), files: { 'env/secret/token/value': Uint8Array.of(0xff, 0xfe) } },
    'HarnessRefused',
    /UTF-8/,
  ],
])('refuses %s, naming the field and no value', async (_, { harnesses, files }, reason, message) => {
  const refusal = check(harnesses, files);
  await expect(refusal).rejects.toMatchObject({ reason, message: expect.stringMatching(message) });
  await expect(refusal).rejects.toThrow(FIELD);
});

it('refuses variables that are too large in total', async () => {
  const many = Array.from({ length: 12 }, () => secret());
  await expect(check(harness(...many), { 'env/secret/token/value': 'x'.repeat(100_000) })).rejects.toThrow(
    /^spec\.harnesses\[1\]\.env: .* larger than 1 MiB/,
  );
});

it('refuses references that do not exist', async () => {
  await expect(check([{ name: 'replay', references: { name: 'refs' } }])).rejects.toThrow(
    /^spec\.harnesses\[0\]\.references: ConfigMap refs not found in this namespace, or it is empty/,
  );
});
