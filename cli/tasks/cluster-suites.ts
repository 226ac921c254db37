import type { Command } from 'commander';
import { SUITE_ARCHIVE } from '../../benchmark/protocol/pod-paths.ts';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { createClient, type KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import { readSuiteArchive } from '../../store/suite-archive.ts';
import { loadKubeConfig } from '../kube-config.ts';
import { missingNamespace } from './missing-namespace.ts';

/** The suite does not exist in the cluster. */
export class NoSuchSuite extends Error {
  override readonly name = 'NoSuchSuite';
}

/** Calls `work` with a client for the context and namespace of the command line. */
export async function inCluster<T>(
  program: Command,
  work: (client: KubeClient, namespace: string) => Promise<T>,
): Promise<T> {
  const options = program.opts<{ namespace?: string; context?: string }>();
  const client = createClient({ kubeConfig: () => loadKubeConfig(options.context) });
  try {
    return await work(client, options.namespace ?? client.namespace);
  } finally {
    await client.close();
  }
}

/** Files of a suite that `tasks push` or kustomize stored. @throws NoSuchSuite, SuiteArchiveError */
export async function readClusterSuite(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<readonly SuiteFile[]> {
  const map = await resource(client, CONFIG_MAPS, namespace)
    .get(name)
    .catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      const gone = await missingNamespace(client, namespace);
      throw new NoSuchSuite(
        `"${name}" is neither a path nor a suite in the cluster: ${gone ?? `ConfigMap "${name}" does not exist in namespace "${namespace}"`}`,
      );
    });
  const archive = map.binaryData?.[SUITE_ARCHIVE];
  if (archive === undefined)
    throw new NoSuchSuite(`ConfigMap "${name}" is not a suite: its binaryData has no key ${SUITE_ARCHIVE}`);
  return readSuiteArchive(Buffer.from(archive, 'base64'));
}

/** Suites that `tasks push` stored in a namespace. @throws NoSuchSuite when the namespace does not exist */
export async function listClusterSuites(
  client: KubeClient,
  namespace: string,
): Promise<{ name: string; tasks: number | null; bytes: number; created: string }[]> {
  const labelSelector = 'app.kubernetes.io/name=clawbench,app.kubernetes.io/component=suite';
  const { items } = await resource(client, CONFIG_MAPS, namespace).list({ labelSelector });
  const gone = items.length === 0 ? await missingNamespace(client, namespace) : null;
  if (gone !== null) throw new NoSuchSuite(gone);
  return items.map((map) => ({
    name: map.metadata.name,
    tasks: wholeOrNull(map.metadata.annotations?.['claw-bench.com/tasks']),
    bytes: Buffer.from(map.binaryData?.[SUITE_ARCHIVE] ?? '', 'base64').byteLength,
    created: String(map.metadata.creationTimestamp ?? ''),
  }));
}

/** Annotations are text that anyone may have written. */
function wholeOrNull(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
