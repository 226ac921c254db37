import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { corefile, containerdToml, kubeletYaml } from './node-config.ts';
import { CONTAINERD_SOCKET, placesIn } from './places.ts';

const places = placesIn('/var/lib/some-where');

describe("the node's configuration", () => {
  it('lets kubelet start on cgroup v1 and never take oom scores that it may not set', () => {
    expect(parse(kubeletYaml(places))).toMatchObject({ failCgroupV1: false, oomScoreAdj: 0, seccompDefault: true });
  });

  it('keeps network namespaces below our own directory, for tear-down', () => {
    expect(containerdToml(places)).toContain('netns_mounts_under_state_dir = true');
  });

  it('has socket paths short enough for the kernel (107 bytes)', () => {
    expect(Buffer.byteLength(`${CONTAINERD_SOCKET}.ttrpc`)).toBeLessThan(107);
  });

  it('answers unknown names at once', () => {
    expect(corefile(places)).toMatch(/template ANY ANY \. \{\s+rcode NXDOMAIN/);
  });
});
