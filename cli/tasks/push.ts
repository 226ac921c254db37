import type { SuiteFile } from '../../benchmark/suite.ts';
import { readSuite } from '../../benchmark/suite.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import { writeSuiteArchive } from '../../store/suite-archive.ts';

/** etcd refuses objects above 1.5 MiB, the API server data above 1 MiB. */
const MAX_BYTES = 1_048_576 - 4096;

/** The suite does not fit in a ConfigMap. */
export class SuiteTooLarge extends Error {
  override readonly name = 'SuiteTooLarge';
}

export interface Pushed {
  readonly name: string;
  readonly tasks: number;
  readonly bytes: number;
}

/**
 * Stores a suite as one immutable ConfigMap. A namesake is replaced (deleted and made again): batches that run carry
 * the hash of each of their tasks, so another suite under the same name is refused by them, never mixed in.
 */
export async function pushSuite(
  client: KubeClient,
  namespace: string,
  name: string,
  files: readonly SuiteFile[],
): Promise<Pushed> {
  const tasks = readSuite(files).cases.length;
  const archive = await writeSuiteArchive(files);
  if (archive.byteLength > MAX_BYTES) {
    throw new SuiteTooLarge(
      `the suite is ${archive.byteLength} bytes gzipped; a ConfigMap holds ${MAX_BYTES}: split it or store it in S3`,
    );
  }
  const maps = resource(client, CONFIG_MAPS, namespace);
  await maps.delete(name).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  await maps.create(suiteConfigMap(namespace, name, archive));
  return { name, tasks, bytes: archive.byteLength };
}

export function suiteConfigMap(namespace: string, name: string, archive: Uint8Array): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/name': 'clawbench', 'app.kubernetes.io/component': 'suite' },
    },
    immutable: true,
    binaryData: { 'suite.tar.gz': Buffer.from(archive).toString('base64') },
  };
}
