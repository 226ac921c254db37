import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MUTABLE_BATCH_FIELDS, batchSpec } from '../../crds/batch.ts';
import { MUTABLE_RUN_FIELDS, runSpec } from '../../crds/run.ts';
import {
  batchManifest,
  runManifest,
  batchRun,
  fullBatch,
  fullRun,
  leastBatch,
  leastRun,
} from '../../crds/samples.fixture.ts';
import { pathOf, playground, refusal } from './api.fixture.ts';
import { runTool } from './tools.fixture.ts';
import type { Playground, Stored } from './api.fixture.ts';

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Every field and list entry of a value, branches as well as leaves. */
const pathsOf = (value: unknown, base: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => {
        const path = [...base, Array.isArray(value) ? Number(key) : key];
        return [path, ...pathsOf(child, path)];
      })
    : [];

const parentOf = (root: unknown, path: Path): Json =>
  path.slice(0, -1).reduce((at, key) => (at as Json)[key], root) as Json;

const without = (spec: Json, path: Path): Json => {
  const copy = structuredClone(spec);
  const parent: unknown = parentOf(copy, path);
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent as Json, last);
  return copy;
};

/** Another value of the same kind that the schema accepts too. */
const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return value;
  // A port, a tag or an id must stay one.
  return /\d$/.test(value) ? value.replace(/\d$/, (last) => String((Number(last) + 1) % 10)) : `${value}x`;
};

const changed = (spec: Json, path: Path): Json => {
  const copy = structuredClone(spec);
  const parent = parentOf(copy, path);
  const last = path.at(-1) ?? '';
  parent[last] = other(parent[last]);
  return copy;
};

let api: Playground;
beforeAll(async () => {
  api = await playground('crds');
});
afterAll(async () => {
  await api.end();
});

describe('defaults', () => {
  it('of a batch are those of the types', async () => {
    const stored = await api.create(batchManifest(leastBatch()), true);
    expect(stored.spec).toEqual(batchSpec.parse(leastBatch()));
  });

  it('appear in no run of a batch', async () => {
    const stored = await api.create(runManifest(batchRun()), true);
    expect(stored.spec).toEqual(runSpec.parse(batchRun()));
    expect(Object.keys(stored.spec).sort()).toEqual(
      ['batchRef', 'cancel', 'harness', 'model', 'repetition', 'resume', 'suspend', 'task'].sort(),
    );
  });

  it('fill the blocks that a standalone run has', async () => {
    const spec = { ...leastRun(), deadlines: { idleSeconds: 9 } };
    const stored = await api.create(runManifest(spec), true);
    expect(stored.spec).toEqual(runSpec.parse(spec));
  });

  it('let the evaluator decide that agentic.enabled asks', async () => {
    const judge = {
      modelsSecretRef: { name: 'm' },
      model: 'j',
      passRubric: 'Agentic' as const,
      agentic: { enabled: true },
    };
    const spec = { ...leastBatch(), judge };
    expect((await api.create(batchManifest(spec), true)).spec).toEqual(batchSpec.parse(spec));
  });

  it('change nothing in objects with everything, opaque parts included', async () => {
    const batch = await api.create(batchManifest(fullBatch()), true);
    expect(batch.spec).toEqual(batchSpec.parse(fullBatch()));
    const run = await api.create(runManifest(fullRun()), true);
    expect(run.spec).toEqual(runSpec.parse(fullRun()));
  });
});

describe('the API server refuses', () => {
  const batch = (change: Json, name?: string): Promise<string> =>
    refusal(api.create({ ...batchManifest(leastBatch(), name), spec: { ...fullBatch(), ...change } }, true));
  const suite = { name: 'demo' };
  const judge = { modelsSecretRef: { name: 'm' }, model: 'j' };

  it.each<[string, Json, RegExp]>([
    [
      'two suite sources',
      { suite: { ...suite, configMapRef: { name: 'a' }, s3: { prefix: 'b' } } },
      /exactly one source/,
    ],
    ['no suite source', { suite }, /exactly one source/],
    ['a pass rubric that is not asked', { judge: { ...judge, passRubric: 'Answer' } }, /passRubric must be one of/],
    ['the evaluator, not asked', { judge: { ...judge, passRubric: 'Agentic' } }, /passRubric must be one of/],
    ['mail without its Secret', { mail: { provider: 'Static' } }, /spec\.mail\.secretRef is required/],
    ['a grace too short for the upload', { deadlines: { graceSeconds: 100 } }, /graceSeconds must be at least/],
    ['the same harness twice', { harnesses: [{ name: 'null' }, { name: 'null' }] }, /Duplicate value/],
    ['the same model twice', { models: { names: ['a', 'a'] } }, /Duplicate value/],
    ['a 300-character model', { models: { names: ['m'.repeat(300)] } }, /may not be more than 253/],
    [
      '2001 cases',
      { suite: { ...suite, configMapRef: { name: 'a' }, select: { cases: Array(2001).fill('c') } } },
      /at most 2000 items/,
    ],
    ['a field nobody knows', { paralelism: 3 }, /unknown field "spec\.paralelism"/],
    [
      'env with value and valueFrom',
      { harnesses: [{ name: 'a', env: [{ name: 'A', value: '', valueFrom: {} }] }] },
      /not both/,
    ],
    [
      'env from nowhere',
      { harnesses: [{ name: 'a', env: [{ name: 'A', valueFrom: {} }] }] },
      /exactly one of secretKeyRef and configMapKeyRef/,
    ],
  ])('a batch with %s', async (_, change, sentence) => {
    expect(await batch(change)).toMatch(sentence);
  });

  it('a batch whose name leaves no room for its runs', async () => {
    expect(await batch({}, 'n'.repeat(40))).toBe('accepted');
    expect(await batch({}, 'n'.repeat(41))).toMatch(/metadata\.name must have at most 40 characters/);
    expect(await batch({}, 'n'.repeat(300))).not.toBe('accepted');
  });

  const run = (spec: Json, name?: string): Promise<string> =>
    refusal(api.create({ ...runManifest(leastRun(), name), spec }, true));

  it.each<[string, Json, RegExp]>([
    ['of a batch with a block of its own', { ...batchRun(), retry: {} }, /spec\.batchRef excludes/],
    ['of a batch without a hash', { ...batchRun(), task: { ref: { case: 'a' } } }, /sha256 is required/],
    ['of a batch with an inline task', { ...batchRun(), task: { inline: {} } }, /sha256 is required/],
    ['standalone without a store', { ...leastRun(), artifacts: undefined }, /spec\.artifacts are required/],
    [
      'standalone without the suite of its task',
      { ...leastRun(), task: { ref: { case: 'a' } } },
      /must have configMapRef or s3/,
    ],
    [
      'with two tasks',
      { ...leastRun(), task: { inline: {}, ref: { case: 'a' } } },
      /spec\.task: Too many: 2: must have at most 1/,
    ],
    ['without a task', { ...leastRun(), task: {} }, /spec\.task/],
  ])('a run %s', async (_, spec, sentence) => {
    expect(await run(spec)).toMatch(sentence);
  });

  it('a run whose name leaves no room for its Pods', async () => {
    expect(await run({ ...leastRun() }, 'n'.repeat(53))).toBe('accepted');
    expect(await run({ ...leastRun() }, 'n'.repeat(54))).toMatch(/metadata\.name must have at most 53/);
  });
});

/** One spec against the object it was stored as: towards each variant and back, both must be refused. */
const immutabilityOf = async (stored: Stored, spec: Json, path: Path): Promise<string[]> => {
  const problems: string[] = [];
  const sentence = `spec.${String(path[0])} cannot be changed`;
  for (const [index, variant] of [changed(spec, path), without(spec, path)].entries()) {
    if (isDeepStrictEqual(variant, spec)) continue;
    const name = `${stored.metadata.name}-${path.join('.').toLowerCase()}-${String(index)}`
      .slice(-40)
      .replace(/^[-.]+/, '');
    const twin = await api.create({ ...stored, metadata: { name }, spec: variant } as never).catch(() => null);
    // Not a valid object at all, or the same after defaults: nothing could change behind the rule's back.
    if (twin === null || isDeepStrictEqual(twin.spec, stored.spec)) continue;
    const answers = [await refusal(api.update(stored, variant)), await refusal(api.update(twin, spec))];
    compared += 1;
    problems.push(
      ...answers.filter((answer) => !answer.includes(sentence)).map((answer) => `${path.join('.')}: ${answer}`),
    );
  }
  return problems;
};
let compared = 0;
const BATCH_FIELDS: readonly string[] = MUTABLE_BATCH_FIELDS;
const RUN_FIELDS: readonly string[] = MUTABLE_RUN_FIELDS;

describe.each([
  { manifest: batchManifest(fullBatch(), 'full'), mutable: BATCH_FIELDS, depth: 9, least: 100 },
  // The same blocks under rules of the same making: the first level is enough.
  { manifest: runManifest(fullRun(), 'full'), mutable: RUN_FIELDS, depth: 1, least: 10 },
  { manifest: runManifest(batchRun(), 'of-batch'), mutable: RUN_FIELDS, depth: 9, least: 6 },
  { manifest: runManifest(leastRun(), 'inline'), mutable: RUN_FIELDS, depth: 9, least: 6 },
])('$manifest.kind $manifest.metadata.name', ({ manifest, mutable, depth, least }) => {
  const spec = manifest.spec as unknown as Json;
  let stored: Stored;
  beforeAll(async () => {
    stored = await api.create(manifest);
  });

  it('lets no other field change, vanish or appear', async () => {
    const paths = pathsOf(spec).filter((path) => !mutable.includes(String(path[0])) && path.length <= depth);
    const limit = pLimit(8);
    compared = 0;
    const problems = await Promise.all(paths.map((path) => limit(() => immutabilityOf(stored, spec, path))));
    expect(problems.flat()).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(least);
  });

  it('keeps its mutable fields mutable, added or removed', async () => {
    for (const field of mutable.filter((name) => name in spec)) {
      expect(await refusal(api.update(stored, without(stored.spec, [field]))), field).toBe('accepted');
    }
    for (const [field, value] of Object.entries({ suspend: false, ttlSecondsAfterFinished: 5, cancel: true })) {
      expect(await refusal(api.update(stored, { ...stored.spec, [field]: value })), field).toBe('accepted');
    }
  });
});

describe('what immutability rests on', () => {
  it('covers every field of a batch that is not mutable', () => {
    const tops = new Set(pathsOf(fullBatch()).map(([top]) => top));
    expect([...tops].sort()).toEqual(
      Object.keys(batchSpec.shape)
        .filter((name) => name !== 'cancel')
        .sort(),
    );
  });

  it('sees one key swapped for another in an opaque part', async () => {
    const template = (spec: Json): Json => ({ ...leastBatch(), podTemplate: { spec } });
    const stored = await api.create({
      ...batchManifest(leastBatch(), 'swap'),
      spec: template({ nodeSelector: { a: 'b' } }),
    });
    expect(await refusal(api.update(stored, template({ runtimeClassName: 'gvisor' })))).toMatch(/cannot be changed/);
    expect(await refusal(api.update(stored, template({ nodeSelector: { c: 'd' } })))).toMatch(/cannot be changed/);
  });

  it('does not let cancel be unset', async () => {
    const stored = await api.create({
      ...batchManifest(leastBatch(), 'cancelled'),
      spec: { ...leastBatch(), cancel: true },
    });
    expect(await refusal(api.update(stored, { ...leastBatch(), cancel: false }))).toMatch(/cannot be unset/);
    expect(await refusal(api.update(stored, leastBatch()))).toMatch(/cannot be unset/);
  });
});

describe('status', () => {
  const status = (stored: Stored, body: Json, type: string, manager: string): Promise<Stored> =>
    api.client.request<Stored>({
      method: 'PATCH',
      path: `${pathOf(api.namespace, stored.kind, stored.metadata.name)}/status`,
      contentType: type,
      body,
      query: type.includes('apply') ? { fieldManager: manager, force: true } : { fieldManager: manager },
    });

  it('keeps what the operator merges and what the judge applies apart, null verdicts included', async () => {
    const run = await api.create(runManifest(batchRun(), 'verdicts'));
    await status(
      run,
      { status: { phase: 'Judging', outcome: 'JudgePending' } },
      'application/merge-patch+json',
      'clawbench-operator',
    );
    const verdicts = { Strict: { match: null, reason: 'no usable answer' }, Lenient: { match: true } };
    const { apiVersion, kind, metadata } = runManifest(batchRun(), 'verdicts');
    const applied = await status(
      run,
      { apiVersion, kind, metadata, status: { verdicts } },
      'application/apply-patch+yaml',
      'clawbench-judge',
    );
    expect(applied.status).toEqual({ phase: 'Judging', outcome: 'JudgePending', verdicts });
    const merged = await status(
      run,
      { status: { phase: 'Complete' } },
      'application/merge-patch+json',
      'clawbench-operator',
    );
    expect(merged.status).toMatchObject({ phase: 'Complete', verdicts });
  });

  it('is not writable through the object itself', async () => {
    const stored = await api.create({
      ...batchManifest(leastBatch(), 'plain'),
      status: { phase: 'Complete' },
    } as never);
    expect(stored.status).toBeUndefined();
  });
});

describe('kubectl get', () => {
  const header = async (what: string): Promise<string[]> => {
    const { stdout } = await runTool('kubectl', ['-n', api.namespace, 'get', what]);
    return stdout.split('\n', 1)[0]?.split(/\s+/) ?? [];
  };

  it('shows the columns of both kinds by their short names', async () => {
    const batch = ['NAME', 'PHASE', 'ACCEPTED', 'DONE', 'TOTAL', 'INTERCEPTED', 'PASS', 'INFRA', 'COST', 'AGE'];
    expect(await header('cbb')).toEqual(batch);
    const run = ['NAME', 'TASK', 'MODEL', 'HARNESS', 'PHASE', 'OUTCOME', 'ATTEMPT', 'REASON', 'AGE'];
    expect(await header('cbr')).toEqual(run);
  });

  it('lists both kinds by their category', async () => {
    const { stdout } = await runTool('kubectl', ['-n', api.namespace, 'get', 'clawbench', '-o', 'name']);
    expect(stdout).toContain('clawbenchbatch.claw-bench.com/full');
    expect(stdout).toContain('clawbenchrun.claw-bench.com/full');
  });
});
