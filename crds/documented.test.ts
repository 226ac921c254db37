import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { batchSpec } from './batch.ts';
import { runSpec } from './run.ts';
import { unsupportedFields } from './unsupported.ts';

const ROOT = join(import.meta.dirname, '..');
const SPECS = { ClawBenchBatch: batchSpec, ClawBenchRun: runSpec };

interface Sample {
  readonly apiVersion: string;
  readonly kind: keyof typeof SPECS;
  readonly spec: Record<string, unknown>;
}

/** Objects of ours in a page: code blocks, fenced or indented, that begin with our apiVersion. */
function samplesIn(text: string): Sample[] {
  return [...text.matchAll(/^( *)apiVersion: claw-bench\.com\/.*\n(?:(?! *```)\1.*\n|\s*\n)*/gm)].map(
    ([block, indent = '']) => {
      const lines = block.split('\n').map((line) => line.slice(indent.length));
      return parse(lines.join('\n')) as Sample;
    },
  );
}

const pages = [
  'README.md',
  'test-cases/demo/batch.yaml',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => /\.(md|yaml)$/.test(name));
const samples = pages.flatMap((page) =>
  samplesIn(readFileSync(join(ROOT, page), 'utf8')).map((sample) => [page, sample.kind, sample] as const),
);

/** Paths of a value's leaves. */
function leaves(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

describe('the examples in the documentation', () => {
  it('include a complete batch and a complete run', () => {
    const found = samples.map(([page, kind]) => `${page} ${kind}`);
    for (const kind of ['ClawBenchBatch', 'ClawBenchRun']) expect(found).toContain(`docs/first-batch.md ${kind}`);
  });

  it.each(samples)('%s: %s is valid, and none of its fields is dropped or refused', (_page, kind, sample) => {
    const spec = SPECS[kind].parse(sample.spec);
    const kept = new Set(leaves(spec));
    expect(leaves(sample.spec).filter((path) => !kept.has(path))).toEqual([]);
    expect(unsupportedFields(spec as never)).toEqual([]);
  });
});
