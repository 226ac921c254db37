import { describe, expect, it } from 'vitest';
import { chooseCluster, type DetectedEnvironment } from './choose-cluster.ts';

const bare: DetectedEnvironment = { kubeconfigIsEmbedded: false, kind: false, platform: 'linux', root: true };

describe('the choice of a cluster', () => {
  it.each<[string, Partial<DetectedEnvironment>, string]>([
    ['a named context wins over everything', { context: 'prod', engine: 'docker', kind: true }, 'given'],
    ['KUBECONFIG wins over an engine', { kubeconfig: '/home/me/config', engine: 'docker', kind: true }, 'given'],
    [
      'the own kubeconfig of the embedded cluster counts as embedded',
      { kubeconfig: '/x', kubeconfigIsEmbedded: true },
      'embedded',
    ],
    ['a context of the embedded kubeconfig is still as asked', { context: 'c', kubeconfigIsEmbedded: true }, 'given'],
    ['an engine with kind is used before the embedded one', { engine: 'podman', kind: true }, 'kind'],
    ['an engine without kind does not count', { engine: 'docker' }, 'embedded'],
    ['kind without an engine does not count', { kind: true }, 'embedded'],
    ['nothing at all, as root on Linux', {}, 'embedded'],
    ['nothing at all, as a user', { root: false }, 'none'],
    ['nothing at all, elsewhere', { platform: 'darwin' }, 'none'],
    ['kind needs no root and no Linux', { platform: 'darwin', root: false, engine: 'docker', kind: true }, 'kind'],
  ])('%s', (_, found, use) => {
    expect(chooseCluster({ ...bare, ...found }).use).toBe(use);
  });

  it('passes context and kubeconfig on', () => {
    const choice = chooseCluster({ ...bare, context: 'prod', kubeconfig: '/k' });
    expect(choice).toMatchObject({ use: 'given', context: 'prod', kubeconfig: '/k' });
  });

  it('says what to do when there is none', () => {
    expect(chooseCluster({ ...bare, root: false }).why).toBe(
      'no container engine runs, and the embedded cluster needs root. Name a cluster with --context, or install Docker and kind.',
    );
  });
});
