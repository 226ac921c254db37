import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { JUDGE_IDENTITY, PREPARE_IDENTITY, RUN_KIND } from '../../crds/group.ts';
import { JUDGE_RULES, PREPARE_RULES } from '../../crds/rbac.ts';
import type { PolicyRule } from '../../crds/rbac.ts';
import { runManifest, batchRun } from '../../crds/samples.fixture.ts';
import { createClient } from '../../kube/client.ts';
import type { KubeClient } from '../../kube/client.ts';
import { apply, eventually, pathOf, playground, refusal } from './api.fixture.ts';
import type { Playground } from './api.fixture.ts';
import { runTool } from './tools.fixture.ts';

const CHART = join(import.meta.dirname, '../../charts/clawbench');
const EVERYTHING = [
  '--set',
  'operator.replicas=2,seccomp.install=true,mail.enabled=true,mail.secretName=mail,metrics.serviceMonitor.enabled=true,watchNamespace=bench',
];

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly rules?: PolicyRule[];
  readonly spec?: never;
}

const render = async (...args: string[]): Promise<Rendered[]> => {
  const { stdout } = await runTool('helm', [
    ...['template', 'crdtest', CHART, '-n', 'crdtest', '--kube-version', '1.30.0', ...args],
  ]);
  // Helm leaves an empty document where a condition was false.
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
};
const names = (objects: readonly Rendered[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();

describe('helm', () => {
  it('lint finds no fault', async () => {
    const { stdout } = await runTool('helm', ['lint', CHART, '--strict', '--kube-version', '1.30.0']);
    expect(stdout).toContain('0 chart(s) failed');
  });

  it('template makes the least by default', async () => {
    expect(names(await render())).toEqual([
      'ClusterRole/clawbench-judge',
      'ClusterRole/clawbench-prepare',
      'ClusterRole/crdtest-clawbench',
      'ClusterRole/crdtest-clawbench-edit',
      'ClusterRole/crdtest-clawbench-view',
      'ClusterRoleBinding/crdtest-clawbench',
      'CustomResourceDefinition/clawbenchbatches.claw-bench.com',
      'CustomResourceDefinition/clawbenchruns.claw-bench.com',
      'Deployment/crdtest-clawbench',
      'Role/crdtest-clawbench-leader',
      'RoleBinding/crdtest-clawbench-leader',
      'Service/crdtest-clawbench-metrics',
      'ServiceAccount/crdtest-clawbench',
      'ValidatingAdmissionPolicy/crdtest-clawbench-judge',
      'ValidatingAdmissionPolicyBinding/crdtest-clawbench-judge',
    ]);
  });

  it('template adds what is asked for', async () => {
    expect(names(await render(...EVERYTHING))).toEqual(
      expect.arrayContaining([
        'ConfigMap/crdtest-clawbench-seccomp',
        'Deployment/crdtest-clawbench-mail',
        'Service/crdtest-clawbench-mail',
        'DaemonSet/crdtest-clawbench-seccomp',
        'PodDisruptionBudget/crdtest-clawbench',
        'ServiceMonitor/crdtest-clawbench',
      ]),
    );
  });

  it('leaves the policy out where the API server has none', async () => {
    expect(names(await render('--kube-version', '1.29.3')).filter((name) => name.startsWith('Validating'))).toEqual([]);
  });

  it('keeps the CRDs on uninstall, and can leave them to others', async () => {
    const crds = (await render()).filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(crds.map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'])).toEqual(['keep', 'keep']);
    const without = await render('--set', 'crds.install=false');
    expect(names(without).filter((name) => name.startsWith('Custom'))).toEqual([]);
  });

  it('passes the images to the operator: digest before tag, appVersion as the standard tag', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const rendered = await render(
      '--set',
      `images.browser.digest=${digest},images.judge.tag=t1,images.harnesses.own.repository=r/own`,
    );
    const deployment = rendered.find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
    };
    const env = deployment.spec.template.spec.containers[0]?.env ?? [];
    expect(JSON.parse(env.find(({ name }) => name === 'CLAWBENCH_IMAGES')?.value ?? '')).toEqual({
      recorder: 'clawbench/recorder:0.1.0',
      browser: `clawbench/browser@${digest}`,
      judge: 'clawbench/judge:t1',
      harnesses: {
        null: 'clawbench/harness-null:0.1.0',
        'random-click': 'clawbench/harness-random-click:0.1.0',
        replay: 'clawbench/harness-replay:0.1.0',
        own: 'r/own:0.1.0',
      },
    });
  });

  it('refuses misspelt values', async () => {
    await expect(render('--set', 'operator.replica=2')).rejects.toThrow(/replica/);
  });
});

describe('on the API server', () => {
  let api: Playground;
  /** Acts with the rights of a Job's identity, as the operator binds it in a user namespace. */
  const clients: KubeClient[] = [];
  beforeAll(async () => {
    api = await playground('chart');
    const docs = (await render()).filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy'));
    for (const policy of docs) await apply(api.client, policyPath(policy), policy);
  });
  afterAll(async () => {
    for (const kind of ['Binding', '']) {
      const policy = { kind: `ValidatingAdmissionPolicy${kind}`, metadata: { name: 'crdtest-clawbench-judge' } };
      await api.client.request({ method: 'DELETE', path: policyPath(policy) });
    }
    await Promise.all(clients.map((client) => client.close()));
    await api.end();
  });

  const policyPath = ({ kind, metadata }: Rendered): string => {
    const plural = kind.endsWith('Binding') ? 'validatingadmissionpolicybindings' : 'validatingadmissionpolicies';
    return `/apis/admissionregistration.k8s.io/v1/${plural}/${metadata.name}`;
  };

  const identity = async (name: string, rules: readonly PolicyRule[]): Promise<KubeClient> => {
    const { client, namespace } = api;
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const post = <T>(path: string, body: object): Promise<T> => client.request<T>({ method: 'POST', path, body });
    await post(accounts, { metadata: { name } });
    await post(`${rbac}/roles`, { metadata: { name }, rules });
    await post(`${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    const { status } = await post<{ status: { token: string } }>(`${accounts}/${name}/token`, { spec: {} });
    const own = new KubeConfig();
    own.loadFromDefault();
    const cluster = own.getCurrentCluster();
    if (cluster === null) throw new Error('KUBECONFIG names no cluster');
    own.loadFromClusterAndUser(cluster, { name, token: status.token });
    const made = createClient({ kubeConfig: () => own });
    clients.push(made);
    return made;
  };

  it('accepts the whole chart', async () => {
    // Cluster-wide objects of a release that another test installed would clash by name; a dry run of the rest does not.
    const rendered = await render('--set', 'crds.install=false,seccomp.install=true,operator.replicas=2');
    expect(rendered.length).toBeGreaterThan(10);
    const { stdout } = await runTool('helm', [
      ...['template', 'crdtest', CHART, '-n', api.namespace, '--kube-version', '1.30.0'],
      ...['--set', 'seccomp.install=true,operator.replicas=2', '--output-dir', api.scratch],
    ]);
    expect(stdout).toContain('wrote');
    const applied = await runTool('kubectl', [
      ...['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-R', '-f', api.scratch],
    ]);
    expect(applied.stdout.split('\n').filter((line) => line.includes('serverside-applied')).length).toBeGreaterThan(15);
  });

  describe('the judge', () => {
    let judge: KubeClient;
    const write = (status: object, manager = JUDGE_IDENTITY): Promise<unknown> => {
      const { apiVersion, kind } = runManifest(batchRun());
      return judge.request({
        method: 'PATCH',
        path: `${pathOf(api.namespace, RUN_KIND, 'judged')}/status`,
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: manager, force: true },
        body: { apiVersion, kind, metadata: { name: 'judged' }, status },
      });
    };
    const verdicts = { Strict: { match: true, reason: 'as asked' } };
    const closed = { prefix: 'm/a1/', time: '2026-01-01T00:00:00Z' };

    beforeAll(async () => {
      judge = await identity(JUDGE_IDENTITY, JUDGE_RULES);
      await api.create(runManifest(batchRun(), 'judged'));
      await api.client.request({
        method: 'PATCH',
        path: `${pathOf(api.namespace, RUN_KIND, 'judged')}/status`,
        contentType: 'application/merge-patch+json',
        body: { status: { phase: 'Judging', attempt: 1 } },
      });
      // A policy takes effect some moments after it was stored.
      await eventually(async () => {
        expect(await refusal(write({ phase: 'Complete' }))).toMatch(/may write only/);
      });
    });

    it('writes verdicts and closed, first and again', async () => {
      expect(await refusal(write({ verdicts }))).toBe('accepted');
      expect(await refusal(write({ verdicts, closed }))).toBe('accepted');
      expect(await refusal(write({ closed }))).toBe('accepted');
    });

    it.each<[string, object]>([
      ['changes the phase', { verdicts, phase: 'Complete' }],
      ['adds an outcome', { verdicts, outcome: 'Passed' }],
      ['changes a number', { attempt: 2 }],
    ])('is refused when it %s', async (_, status) => {
      expect(await refusal(write(status))).toMatch(/may write only status\.verdicts and status\.closed/);
    });

    it('is refused when it removes a field of the operator', async () => {
      const path = `${pathOf(api.namespace, RUN_KIND, 'judged')}/status`;
      const removal = { method: 'PATCH', path, contentType: 'application/merge-patch+json' } as const;
      expect(await refusal(judge.request({ ...removal, body: { status: { phase: null } } }))).toMatch(/may write only/);
    });

    it('reads runs, and has no way to their spec, to Secrets or to Pods', async () => {
      const runs = await judge.request<{ items: unknown[] }>({ method: 'GET', path: pathOf(api.namespace, RUN_KIND) });
      expect(runs.items.length).toBe(1);
      const path = pathOf(api.namespace, RUN_KIND, 'judged');
      const patch = { method: 'PATCH', contentType: 'application/merge-patch+json' } as const;
      expect(await refusal(judge.request({ ...patch, path, body: { spec: { cancel: true } } }))).toMatch(/forbidden/i);
      for (const what of ['secrets', 'pods', 'configmaps']) {
        const list = judge.request({ method: 'GET', path: `/api/v1/namespaces/${api.namespace}/${what}` });
        expect(await refusal(list), what).toMatch(/forbidden/i);
      }
    });
  });

  it('lets prepare write its task list and nothing else', async () => {
    const prepare = await identity(PREPARE_IDENTITY, PREPARE_RULES);
    const base = `/api/v1/namespaces/${api.namespace}`;
    const body = { metadata: { name: 'sample-tasks' }, immutable: true, data: { 'tasks.json': '[]' } };
    expect(await refusal(prepare.request({ method: 'POST', path: `${base}/configmaps`, body }))).toBe('accepted');
    for (const path of [`${base}/secrets`, `${base}/configmaps`, `${base}/pods`, pathOf(api.namespace, RUN_KIND)]) {
      expect(await refusal(prepare.request({ method: 'GET', path })), path).toMatch(/forbidden/i);
    }
  });
});
