import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CRD_NAMES, removableCrds, type ListedCrd } from './own-crds.ts';

const crd = (namespace: string, release = 'clawbench'): ListedCrd => ({
  metadata: {
    name: 'a',
    annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
  },
});
const unused = { objects: 0, operators: 0 };

it('CRDs of our release that nobody uses are removed', () => {
  expect(removableCrds({ crds: [crd('own')], ...unused }, 'own')).toEqual(['a']);
});

it.each([
  ['of another namespace', { crds: [crd('theirs')], ...unused }],
  ['of another release', { crds: [crd('own', 'mine')], ...unused }],
  ['that Helm did not make', { crds: [{ metadata: { name: 'a' } }], ...unused }],
  ['with an object anywhere', { crds: [crd('own')], objects: 1, operators: 0 }],
  ['beside another operator', { crds: [crd('own')], objects: 0, operators: 1 }],
])('CRDs %s stay', (_, use) => {
  expect(removableCrds(use, 'own')).toEqual([]);
});

it('the names are those of the chart', () => {
  for (const name of CRD_NAMES) {
    const file = join(import.meta.dirname, `../../charts/clawbench/templates/crd-${name.split('.')[0] ?? ''}.yaml`);
    expect(readFileSync(file, 'utf8')).toContain(`name: ${name}\n`);
  }
});
