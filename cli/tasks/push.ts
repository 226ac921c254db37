import { SUITE_ARCHIVE } from '../../benchmark/protocol/pod-paths.ts';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { readSuite } from '../../benchmark/task/suite.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { Live } from '../../kube/object.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { writeSuiteArchive } from '../../store/suite-archive.ts';
import { missingNamespace } from './missing-namespace.ts';
import { checkSuiteName } from './suite-name.ts';

/** etcd refuses objects above 1.5 MiB, the API server data above 1 MiB. */
const MAX_BYTES = 1_048_576 - 4096;

/** The name belongs to a ConfigMap that `tasks push` did not make; it is left as it is. */
export class NotASuite extends Error {
  override readonly name = 'NotASuite';
}

/** There is no namespace to store it in. */
class NoNamespace extends Error {
  override readonly name = 'NoNamespace';
}

const LABELS = { 'app.kubernetes.io/name': 'clawbench', 'app.kubernetes.io/component': 'suite' };

/** The suite does not fit in a ConfigMap. */
export class SuiteTooLarge extends Error {
  override readonly name = 'SuiteTooLarge';
}

export interface Pushed {
  readonly name: string;
  readonly tasks: number;
  readonly bytes: number;
}

export interface PackedSuite extends Pushed {
  readonly archive: Uint8Array;
}

/** Checks that there are tasks and makes the archive. @throws SuiteError, SuiteNameError */
export async function packSuite(name: string, files: readonly SuiteFile[]): Promise<PackedSuite> {
  checkSuiteName(name);
  const tasks = readSuite(files).cases.length;
  const archive = await writeSuiteArchive(files);
  return { name, tasks, bytes: archive.byteLength, archive };
}

/**
 * Stores a suite as one immutable ConfigMap. A namesake is replaced (deleted and made again): batches that run carry
 * the hash of each of their tasks, so another suite under the same name is refused by them, never mixed in.
 * @throws NotASuite, NoNamespace, SuiteTooLarge, SuiteError, SuiteNameError
 */
export async function pushSuite(
  client: KubeClient,
  namespace: string,
  name: string,
  files: readonly SuiteFile[],
): Promise<Pushed> {
  const packed = await packSuite(name, files);
  const object = suiteConfigMap(packed, namespace);
  const maps = resource(client, CONFIG_MAPS, namespace);
  const old = await maps.find(name);
  if (old !== null) {
    const { uid, resourceVersion } = refuseForeign(old).metadata;
    await maps.delete(name, { uid, resourceVersion });
  }
  await maps.create(object).catch(async (error: unknown) => {
    const gone = isNotFound(error) ? await missingNamespace(client, namespace) : null;
    throw gone === null ? error : new NoNamespace(gone);
  });
  return packed;
}

/** What is deleted must be a suite that was pushed: not somebody's settings, nor what another program would make anew. */
function refuseForeign(map: Live<ConfigMap>): Live<ConfigMap> {
  const { name, labels = {}, ownerReferences = [] } = map.metadata;
  const isSuite = Object.entries(LABELS).every(([key, value]) => labels[key] === value);
  if (isSuite && ownerReferences.length === 0) return map;
  const why = isSuite
    ? `is managed by ${ownerReferences.map((owner) => `${owner.kind} ${owner.name}`).join(', ')}`
    : 'exists and was not stored by clawbench tasks push';
  throw new NotASuite(`ConfigMap ${name} ${why}: choose another --name, or delete it`);
}

/**
 * Stores a suite of any size as an object, for `spec.suite.s3.prefix`.
 * @returns also the key below the store's own prefix.
 */
export async function pushSuiteToStore(
  store: ObjectStore,
  name: string,
  files: readonly SuiteFile[],
): Promise<Pushed & { readonly key: string }> {
  const packed = await packSuite(name, files);
  const key = `suites/${name}.tar.gz`;
  await store.put(key, packed.archive, { contentType: 'application/gzip' });
  return { ...packed, key };
}

/** @throws SuiteTooLarge */
export function suiteConfigMap(suite: PackedSuite, namespace?: string): ConfigMap {
  if (suite.bytes > MAX_BYTES) {
    throw new SuiteTooLarge(
      `the suite is ${String(suite.bytes)} bytes gzipped and a ConfigMap holds ${String(MAX_BYTES)}; push it with --s3 s3://BUCKET/PREFIX`,
    );
  }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: suite.name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: LABELS,
      annotations: { 'claw-bench.com/tasks': String(suite.tasks) },
    },
    immutable: true,
    binaryData: { [SUITE_ARCHIVE]: Buffer.from(suite.archive).toString('base64') },
  };
}
