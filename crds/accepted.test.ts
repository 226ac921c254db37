import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { batchSpec } from './batch.ts';
import { BATCH_PLURAL, RUN_PLURAL } from './group.ts';
import { runSpec } from './run.ts';
import { batchManifest, runManifest, batchRun, fullBatch, fullRun, leastBatch, leastRun } from './samples.fixture.ts';

/** The generated YAML as a client-side validator reads it. CEL rules need the API server: test/e2e/crds.test.ts. */
const ajv = new Ajv({ strict: false, allErrors: true, formats: { int64: true, 'date-time': true } });
const validator = (plural: string): ReturnType<typeof ajv.compile> => {
  const crd = parse(readFileSync(join(import.meta.dirname, 'generated', `${plural}.yaml`), 'utf8'));
  return ajv.compile(crd.spec.versions[0].schema.openAPIV3Schema);
};
const isBatch = validator(BATCH_PLURAL);
const isRun = validator(RUN_PLURAL);

type Loose = Record<string, unknown>;
const without = (object: object, key: string): Loose =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

describe('a batch', () => {
  it.each([
    ['with the minimum', leastBatch()],
    ['with everything', fullBatch()],
  ])('%s is accepted by schema and types alike', (_, spec) => {
    expect(isBatch(batchManifest(spec)), JSON.stringify(isBatch.errors)).toBe(true);
    expect(batchSpec.safeParse(spec).error).toBeUndefined();
  });

  it('gets its documented defaults', () => {
    const spec = batchSpec.parse(leastBatch());
    expect(spec).toMatchObject({
      repetitions: 1,
      parallelism: 2,
      suite: { select: { ids: '', placeholders: 'Exclude' } },
      browser: { viewport: { width: 1920, height: 1080 }, recording: 'Video', isolation: 'Namespace' },
      deadlines: { pendingSeconds: 1800, idleSeconds: 300, tailSeconds: 2, judgeSeconds: 86_400 },
      retry: { infrastructureLimit: 3 },
      mail: { provider: 'None' },
      suspend: false,
      cancel: false,
      resume: false,
    });
    expect(spec.judge).toBeUndefined();
  });

  const full = fullBatch();
  it.each<[string, Loose]>([
    ['no suite', without(full, 'suite')],
    ['no models', without(full, 'models')],
    ['no harness named', { ...full, harnesses: [] }],
    ['a harness without a name', { ...full, harnesses: [{}] }],
    ['no artifacts', without(full, 'artifacts')],
    ['a suite without a name', { ...full, suite: without(full.suite, 'name') }],
    ['an id list with letters', { ...full, suite: { ...full.suite, select: { ids: '1-x' } } }],
    ['a 300-character suite name', { ...full, suite: { ...full.suite, name: 'n'.repeat(300) } }],
    ['a 300-character model name', { ...full, models: { names: ['n'.repeat(300)] } }],
    ['65 models', { ...full, models: { names: Array.from({ length: 65 }, (_, i) => `m${String(i)}`) } }],
    ['a harness name that no label takes', { ...full, harnesses: [{ name: 'Bad Name' }] }],
    ['parallelism 0', { ...full, parallelism: 0 }],
    ['half a repetition', { ...full, repetitions: 1.5 }],
    ['text for a number', { ...full, repetitions: '3' }],
    ['an unknown recording', { ...full, browser: { recording: 'video' } }],
    ['a negative deadline', { ...full, deadlines: { idleSeconds: -1 } }],
    ['an endpoint without scheme', { ...full, artifacts: { s3: { bucket: 'traces', endpoint: 's3:9000' } } }],
    ['a prefix with leading slash', { ...full, artifacts: { s3: { bucket: 'traces', prefix: '/a' } } }],
    ['a rubric nobody knows', { ...full, judge: { ...full.judge, rubrics: ['strict'] } }],
    ['a rerun without nonce', { ...full, rerun: { outcomes: ['Failed'] } }],
    ['null for a block', { ...full, browser: null }],
  ])('with %s is refused by schema and types alike', (_, spec) => {
    expect(isBatch({ ...batchManifest(leastBatch()), spec })).toBe(false);
    expect(batchSpec.safeParse(spec).success).toBe(false);
  });
});

describe('a run', () => {
  it.each([
    ['of a batch', batchRun()],
    ['that is standalone, with the minimum', leastRun()],
    ['that is standalone, with everything', fullRun()],
  ])('%s is accepted by schema and types alike', (_, spec) => {
    expect(isRun(runManifest(spec)), JSON.stringify(isRun.errors)).toBe(true);
    expect(runSpec.safeParse(spec).error).toBeUndefined();
  });

  const hand = leastRun();
  it.each<[string, Loose]>([
    ['no task', without(hand, 'task')],
    ['an empty task', { ...hand, task: {} }],
    ['two tasks', { ...hand, task: { inline: {}, ref: { case: 'a' } } }],
    ['a hash in capitals', { ...hand, task: { ref: { case: 'a', sha256: 'A'.repeat(64) } } }],
    ['no model', without(hand, 'model')],
    ['repetition 0', { ...hand, repetition: 0 }],
    ['a batch without uid', { ...batchRun(), batchRef: { name: 'sample' } }],
  ])('with %s is refused by the schema', (_, spec) => {
    expect(isRun({ ...runManifest(hand), spec })).toBe(false);
  });
});
