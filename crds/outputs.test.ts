import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BATCH, RUN } from './custom-resource.ts';
import type { StructuralSchema } from './lower.ts';
import { outputs } from './outputs.ts';

const root = join(import.meta.dirname, '..');

/** Paths of all fields below a schema. */
const fieldsOf = (schema: StructuralSchema, path: string): (readonly [string, StructuralSchema])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const inner = child.items ?? child.additionalProperties ?? child;
    return [[`${path}.${name}`, child] as const, ...fieldsOf(inner, `${path}.${name}`)];
  });

describe('generated files', () => {
  it.each([...outputs()])('%s is what npm run generate writes', (path, content) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(content);
  });

  it('include no file of a removed kind', () => {
    const expected = [...outputs().keys()].filter((path) => path.startsWith('crds/generated/'));
    expect(readdirSync(join(root, 'crds/generated')).map((name) => `crds/generated/${name}`)).toEqual(expected);
  });

  it('include the unchanged seccomp profile of the browser image', () => {
    const image = readFileSync(join(root, 'images/browser/seccomp-browser.json'), 'utf8');
    expect(outputs().get('charts/clawbench/files/clawbench-browser.json')).toBe(image);
  });
});

describe.each([BATCH, RUN])('schema of $kind', ({ schema }) => {
  const spec = schema.properties?.['spec'] ?? {};

  it('describes every field of spec', () => {
    const silent = fieldsOf(spec, 'spec').filter(([, field]) => (field.description ?? '') === '');
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('limits every string and list of spec, which limits CEL cost and object size', () => {
    const open = fieldsOf(spec, 'spec').filter(([, field]) => {
      if (field.items) return field['maxItems'] === undefined;
      if (field.additionalProperties) return field['maxProperties'] === undefined;
      return field.type === 'string' && field.enum === undefined && field['maxLength'] === undefined;
    });
    expect(open.map(([path]) => path)).toEqual([]);
  });

  it('limits every number of spec', () => {
    const open = fieldsOf(spec, 'spec').filter(
      ([, field]) => ['integer', 'number'].includes(field.type ?? '') && field['maximum'] === undefined,
    );
    expect(open.map(([path]) => path)).toEqual([]);
  });

  it('has rules whose messages are one sentence that names a field', () => {
    const rules = [schema, spec, ...fieldsOf(spec, 'spec').map(([, field]) => field)].flatMap(
      (node) => (node['x-kubernetes-validations'] ?? []) as { message: string }[],
    );
    expect(rules.length).toBeGreaterThan(10);
    for (const { message } of rules) expect(message).toMatch(/^(spec|metadata)\.[^.]*(\.[a-zA-Z(][^.]*)*[^.]\.$/);
  });

  it('merges conditions by type and keeps other status lists atomic', () => {
    for (const [path, field] of fieldsOf(schema.properties?.['status'] ?? {}, 'status')) {
      if (!field.items) continue;
      const expected = path === 'status.conditions' ? 'map' : 'atomic';
      expect(field['x-kubernetes-list-type'], path).toBe(expected);
    }
  });
});
