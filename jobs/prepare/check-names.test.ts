import { describe, expect, it } from 'vitest';
import { fnmatch } from '../../benchmark/text/fnmatch.ts';
import { batchSpec } from '../../crds/batch.ts';
import { leastBatch } from '../../crds/samples.fixture.ts';
import { checkNames } from './check-names.ts';

const check = (models: readonly string[], prefix = ''): void => {
  const spec = batchSpec.parse({ ...leastBatch(), artifacts: { s3: { bucket: 'traces', prefix } } });
  checkNames({ batch: 'b'.repeat(40), spec }, models);
};

describe('names of models', () => {
  it.each([
    [['vendor/model-b:free', 'ü']],
    [['m'.repeat(150)]],
    [Array.from({ length: 64 }, (_, i) => `vendor/model-${String(i)}`)],
  ])('as %j are taken', (models) => {
    expect(() => check(models, 'nightly/2026')).not.toThrow();
  });
  it.each([
    [['m'.repeat(253)], '', /^spec\.models\.names: object keys .* 900/],
    [['ü'.repeat(150)], 'p'.repeat(400), /^spec\.models\.names: object keys .* 1024 .*spec\.artifacts\.s3\.prefix/],
    [['..'], '', /^spec\.models\.names: ".." cannot be part of an object key/],
    [['a\\b'], '', /cannot be part of an object key/],
    [
      Array.from({ length: 64 }, (_, i) => `${String(i)}-${'m'.repeat(80)}`),
      '',
      /names of the 64 models .*split the batch$/,
    ],
  ])('as %j are refused', (models, prefix, message) => {
    expect(() => check(models, prefix)).toThrow(message);
  });
  it('a reversed range matches nothing, as in Python', () => {
    expect(fnmatch('[z-a]*')('b')).toBe(false);
  });
});
