import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { KIND_CLUSTER, type Engine } from './choose-cluster.ts';
import { REPOSITORY, SECCOMP_PROFILE } from './places.ts';
import { step } from './progress.ts';
import { run } from './run-command.ts';

/**
 * The path for people with Docker or Podman. Its decisions are unit-tested; it is not exercised where no engine runs.
 * The browser's seccomp profile has to be on the node, so it is mounted into the node's kubelet folder.
 */
export function kindConfig(profile: string): string {
  const mount = { hostPath: profile, containerPath: `/var/lib/kubelet/seccomp/${SECCOMP_PROFILE}`, readOnly: true };
  return stringify({
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [{ role: 'control-plane', extraMounts: [mount] }],
  });
}

/** kind uses Docker by default. */
export function kindEnvironment(engine: Engine): Record<string, string> {
  return engine === 'podman' ? { KIND_EXPERIMENTAL_PROVIDER: 'podman' } : {};
}

/** The context that kind writes for the cluster. */
const KIND_CONTEXT = `kind-${KIND_CLUSTER}`;

/** Whether `kind get clusters` lists ours. */
export function hasKindCluster(listing: string): boolean {
  return listing.split('\n').includes(KIND_CLUSTER);
}

/** Makes sure that the kind cluster exists, and gives its context's name. */
export async function kindUp(engine: Engine): Promise<string> {
  const env = kindEnvironment(engine);
  if (!hasKindCluster(await run('kind', ['get', 'clusters'], { env }))) {
    const input = kindConfig(join(REPOSITORY, 'images/browser/seccomp-browser.json'));
    const args = ['create', 'cluster', '--name', KIND_CLUSTER, '--config', '-', '--wait', '180s'];
    await step(`creating the kind cluster ${KIND_CLUSTER}`, () => run('kind', args, { env, input, limitMs: 900_000 }));
  }
  return KIND_CONTEXT;
}

/** Brings an image from buildah's store into the kind node; the reference for pods is the tag itself. */
export async function kindLoad(tag: string, engine: Engine): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'clawbench-kind-'));
  const archive = join(dir, 'image.tar');
  try {
    await run('buildah', ['push', tag, `docker-archive:${archive}:${tag}`], { limitMs: 900_000 });
    const args = ['load', 'image-archive', archive, '--name', KIND_CLUSTER];
    await step(`loading ${tag} into kind`, () => run('kind', args, { env: kindEnvironment(engine), limitMs: 900_000 }));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  return tag;
}

/** Deletes the kind cluster. */
export async function kindDown(engine: Engine): Promise<void> {
  const args = ['delete', 'cluster', '--name', KIND_CLUSTER];
  await run('kind', args, { env: kindEnvironment(engine), limitMs: 300_000 });
}
