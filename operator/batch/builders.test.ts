import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import type { Job } from '../../kube/kinds.ts';
import { ownerReference } from '../../kube/object.ts';
import { aLiveBatch } from './batch.fixture.ts';
import { buildJudgeJob, buildJudgeLists, mountedParts } from './judge-job.ts';
import { buildPrepareJob } from './prepare-job.ts';
import { buildNetworkPolicy, buildRoleBinding, buildServiceAccount, sharedOwners } from './rbac.ts';

const judge = { modelsSecretRef: { name: 'judge-models' }, model: 'j1' };
const batch = aLiveBatch({
  models: { secretRef: { name: 'models' }, names: ['m1'] },
  judge,
  podTemplate: { spec: { nodeSelector: { pool: 'bench' }, runtimeClassName: 'gvisor' } },
});

describe('children of a batch', () => {
  const owner = aLiveBatch();
  it.each<[string, unknown]>([
    ['prepare-job', buildPrepareJob(batch, 1, 'judge:1')],
    ['judge-job', buildJudgeJob(batch, 3, 'judge:1', { closedRuns: 7, specHash: 'abc', rows: Array(17) })],
    ['judge-list', buildJudgeLists(batch, 3, [])[0]],
    ['service-account', buildServiceAccount('clawbench-judge', 'bench', sharedOwners([owner]))],
    ['role-binding', buildRoleBinding('clawbench-judge', 'bench', sharedOwners([owner]))],
    ['network-policy', buildNetworkPolicy(owner, ownerReference(owner))],
  ])('%s', async (name, object) => {
    await expect(stringify(object, { aliasDuplicateObjects: false })).toMatchFileSnapshot(`golden/${name}.yaml`);
  });

  it('prepare starts without any of the Secrets, so that it can report which one is missing', () => {
    const text = JSON.stringify(buildPrepareJob(batch, 1, 'judge:1').spec?.template.spec);
    const references = text.match(/"(secretKeyRef|secret|configMap)":\{[^}]*\}/g) ?? [];
    expect(references).toHaveLength(6);
    for (const reference of references) expect(reference).toContain('"optional":true');
  });

  it('prepare gets everything that the harnesses use from Secrets and ConfigMaps, each once', () => {
    const valueFrom = { secretKeyRef: { name: 'token', key: 'value' } };
    const env = [
      { name: 'A', valueFrom },
      { name: 'B', valueFrom },
      { name: 'C', value: 'x' },
    ];
    const other = { name: 'D', valueFrom: { configMapKeyRef: { name: 'settings', key: 'k' } } };
    const harnesses = [
      { name: 'one', image: 'one:1', env },
      { name: 'replay', references: { name: 'refs' }, env: [other] },
    ];
    const pod = buildPrepareJob(aLiveBatch({ harnesses }), 1, 'judge:1').spec?.template.spec;
    expect(pod?.volumes?.slice(-2)).toEqual([
      {
        name: 'harness-env',
        projected: {
          sources: [
            { secret: { name: 'token', optional: true, items: [{ key: 'value', path: 'secret/token/value' }] } },
            { configMap: { name: 'settings', optional: true, items: [{ key: 'k', path: 'configMap/settings/k' }] } },
          ],
        },
      },
      { name: 'references-1', configMap: { name: 'refs', optional: true } },
    ]);
    expect(pod?.containers[0]?.volumeMounts?.map((one) => one.mountPath)).toEqual(
      expect.arrayContaining(['/harness-env', '/harness-references/1']),
    );
  });

  it('the largest spec does not make a variable that the kernel rejects (128 KiB)', () => {
    const select = { cases: Array.from({ length: 2000 }, (_, index) => String(index).padStart(253, 'x')) };
    const large = aLiveBatch({ suite: { name: 's', configMapRef: { name: 's' }, select }, judge });
    for (const job of [
      buildPrepareJob(large, 1, 'j'),
      buildJudgeJob(large, 1, 'j', { closedRuns: 0, specHash: '', rows: [] }),
    ]) {
      const env = job.spec?.template.spec?.containers[0]?.env ?? [];
      expect(Math.max(...env.map((one) => one.value?.length ?? 0))).toBeLessThan(8192);
    }
  });

  it('a list that is too large for one ConfigMap is split, and the Job mounts all parts', () => {
    const row = (index: number): JudgeRow => ({
      run: `nightly-${randomBytes(40).toString('hex')}`,
      uid: randomBytes(80).toString('hex'),
      action: 'Judge',
      prefix: `m/${String(index)}/${randomBytes(80).toString('hex')}/`,
      model: 'm',
      harness: 'replay',
      case: 'c',
      repetition: 1,
    });
    const rows = Array.from({ length: 10_000 }, (_, index) => row(index));
    const lists = buildJudgeLists(batch, 3, rows);
    const job = buildJudgeJob(batch, 3, 'judge:1', { closedRuns: 7, specHash: 'abc', rows }) as Job;
    const mounted = job.spec?.template.spec?.volumes?.find(({ name }) => name === 'list')?.projected?.sources;
    expect(lists.map(({ metadata }) => metadata.name)).toEqual(mounted?.map(({ configMap }) => configMap?.name));
    expect(lists.length).toBeGreaterThan(1);
    const files = lists.flatMap((list) => Object.keys({ ...list.data, ...list.binaryData }));
    expect(new Set(files).size, 'one folder holds them all').toBe(lists.length);
    // An operator that died after creating the Job: by now other rows wait, and the Job still mounts the same number of
    // parts.
    expect(buildJudgeLists(batch, 3, rows.slice(0, 3), mountedParts(job))).toHaveLength(lists.length);
  });

  it('a batch that is being deleted no longer owns anything shared', () => {
    const leaving = { ...owner, metadata: { ...owner.metadata, uid: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(sharedOwners([leaving, owner]).map((one) => one.uid)).toEqual(['batch-uid']);
  });
});
