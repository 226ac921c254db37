import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'clawbench', name), 'utf8');
const values = (): Record<string, never> => parse(read('values.yaml')) as Record<string, never>;
const accepts = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));

describe("the chart's values", () => {
  it('fit their schema', () => {
    expect(accepts(values()), JSON.stringify(accepts.errors)).toBe(true);
  });

  it.each<[string, object]>([
    ['a misspelled name', { replica: 2 }],
    ['a misspelled nested name', { operator: { replicas: 1, replica: 2 } }],
    ['a tag where a digest belongs', { images: { operator: { repository: 'a', digest: 'latest' } } }],
    ['a mail domain of one label', { mail: { enabled: true, domain: 'mail', secretName: 's' } }],
    ['a relative seccomp path', { seccomp: { path: 'seccomp' } }],
  ])('with %s are refused', (_, change) => {
    expect(accepts({ ...values(), ...change })).toBe(false);
  });

  it('and the schema know the same top-level names', () => {
    const properties = JSON.parse(read('values.schema.json')).properties as Record<string, unknown>;
    expect(
      Object.keys(properties)
        .filter((name) => name !== 'global')
        .sort(),
    ).toEqual(Object.keys(values()).sort());
  });
});
