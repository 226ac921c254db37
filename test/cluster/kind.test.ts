import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { hasKindCluster, kindConfig, kindEnvironment } from './kind.ts';

describe('the kind cluster', () => {
  it('has the seccomp profile where its kubelet looks for it', () => {
    const config = parse(kindConfig('/repo/profile.json')) as { nodes: { extraMounts: unknown[] }[] };
    expect(config.nodes).toHaveLength(1);
    expect(config.nodes[0]?.extraMounts).toEqual([
      {
        hostPath: '/repo/profile.json',
        containerPath: '/var/lib/kubelet/seccomp/clawbench-browser.json',
        readOnly: true,
      },
    ]);
  });

  it('is found by its exact name', () => {
    expect(hasKindCluster('other\nclawbench\n')).toBe(true);
    expect(hasKindCluster('clawbench-2\n')).toBe(false);
    expect(hasKindCluster('No kind clusters found.\n')).toBe(false);
  });

  it('sets the Podman provider of kind only if Podman is the engine', () => {
    expect(kindEnvironment('podman')).toEqual({ KIND_EXPERIMENTAL_PROVIDER: 'podman' });
    expect(kindEnvironment('docker')).toEqual({});
  });
});
