import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoManifests } from '../e2e-cluster/namespace.ts';
import { foreignObjects, type Listed } from './foreign-objects.ts';

const named = (kind: string, name: string, more: object = {}): Listed => ({ kind, metadata: { name, ...more } });

it('what the demo itself makes is ours', () => {
  const demo = demoManifests('n', 'image', { accessKeyId: 'a', secretAccessKey: 's' }) as unknown as Listed[];
  const batch = parse(readFileSync(join(import.meta.dirname, '../../test-cases/demo/batch.yaml'), 'utf8')) as Listed;
  const owned = named('ClawBenchRun', 'demo-00001-01', { ownerReferences: [{}] });
  expect(demo.length).toBeGreaterThan(5);
  expect(foreignObjects([...demo, batch, owned, named('ConfigMap', 'kube-root-ca.crt')])).toEqual([]);
});

it('what a person put beside it is not, even under a name of the demo with another kind', () => {
  const theirs = [
    named('ClawBenchBatch', 'my-batch'),
    named('ClawBenchRun', 'by-hand'),
    named('ConfigMap', 'my-suite', { labels: { 'app.kubernetes.io/name': 'clawbench' } }),
    named('Secret', 'demo'),
    named('Pod', 'curl'),
  ];
  expect(foreignObjects(theirs)).toEqual(theirs.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
});
