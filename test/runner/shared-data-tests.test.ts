import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importsSharedData, namesSharedData, sourceFiles } from './shared-data-tests.ts';

const root = join(import.meta.dirname, '..', '..');
const files = sourceFiles(root).map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));

it('finds the tests that compare with the reference data', () => {
  const found = files.filter(({ source }) => importsSharedData(source)).map(({ path }) => path);
  expect(found).toContain('test/conformance/conformance.test.ts');
  expect(found.length).toBeGreaterThanOrEqual(8);
  // A helper between a test and the folder would hide that test from the run without the folder.
  expect(found.filter((path) => !path.endsWith('.test.ts'))).toEqual([]);
});

it('finds no file that has a path of its own to the reference data', () => {
  const ours = 'test/runner/shared-data-tests.ts';
  const others = files.filter(({ path, source }) => !path.startsWith(ours.slice(0, -3)) && namesSharedData(source));
  expect(others.map(({ path }) => path)).toEqual([]);
});

it.each([
  ["join(import.meta.dirname, '..', '..', 'shared', 'corpora')", true],
  ["import '../../shared/conformance/x.json'", true],
  ["'../shared/corpora/v1'", true],
  ["import type { Usage } from '../crds/status/shared.ts'", false],
])('reads %s as a path of its own: %s', (source, expected) => {
  expect(namesSharedData(source)).toBe(expected);
});
