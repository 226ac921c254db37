import { expect, it } from 'vitest';
import { otherInstalls, refusal, type ListedDeployment } from './other-install.ts';

const operator = (namespace: string, labels: Readonly<Record<string, string>> = {}): ListedDeployment => ({
  metadata: {
    name: 'clawbench',
    namespace,
    labels: {
      'app.kubernetes.io/instance': 'clawbench',
      'app.kubernetes.io/component': 'operator',
      'helm.sh/chart': 'clawbench-0.1.0',
      ...labels,
    },
  },
});

it('our own release is none, whether it is there or not', () => {
  expect(otherInstalls([], 'own')).toEqual([]);
  expect(otherInstalls([operator('own')], 'own')).toEqual([]);
});

it.each([
  ['of the same name in another namespace', operator('theirs'), { release: 'clawbench', namespace: 'theirs' }],
  [
    'of another name in our namespace',
    operator('own', { 'app.kubernetes.io/instance': 'mine' }),
    { release: 'mine', namespace: 'own' },
  ],
  [
    'whose name label is a value of theirs',
    operator('theirs', { 'app.kubernetes.io/name': 'bench' }),
    { release: 'clawbench', namespace: 'theirs' },
  ],
])('a release %s is another one', (_, deployment, other) => {
  expect(otherInstalls([operator('own'), deployment], 'own')).toEqual([other]);
});

it.each([
  ['another part of the chart', { 'app.kubernetes.io/component': 'mail' }],
  ['another chart', { 'helm.sh/chart': 'keda-2.0.0' }],
  ['a chart whose name begins like ours', { 'helm.sh/chart': 'clawbench-extras-1.0.0' }],
])('%s is not an operator of the chart', (_, labels) => {
  expect(otherInstalls([operator('theirs', labels)], 'own')).toEqual([]);
});

it('the refusal names the release and how to go on', () => {
  const text = refusal({ release: 'mine', namespace: 'theirs' });
  expect(text).toMatch(/release mine in namespace theirs/);
  expect(text).toMatch(/nothing was touched.*--context NAME.*helm uninstall mine -n theirs/);
});
