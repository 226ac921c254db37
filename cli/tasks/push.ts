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

/** etcd refuses objects above 1.5 MiB, the API server ConfigMap data above 1 MiB. */
const MAX_BYTES = 1_048_576 - 4096;

/** A ConfigMap of the name exists that `tasks push` did not create. It is not changed. */
export class NotASuite extends Error {
  override readonly name = 'NotASuite';
}

/** The namespace does not exist. */
class NoNamespace extends Error {
  override readonly name = 'NoNamespace';
}

const LABELS = { 'app.kubernetes.io/name': 'clawbench', 'app.kubernetes.io/component': 'suite' };

/** The suite does not fit in a ConfigMap. */
export class SuiteTooLarge extends Error {
  override readonly name = 'SuiteTooLarge';
}

/** The name of the suite is invalid. */
export class SuiteNameError extends Error {
  override readonly name = 'SuiteNameError';
}

export interface Pushed {
  readonly name: string;
  readonly tasks: number;
  readonly bytes: number;
}

export interface PackedSuite extends Pushed {
  readonly archive: Uint8Array;
}

/** Checks that there are tasks and creates the archive. @throws SuiteError, SuiteNameError */
export async function packSuite(name: string, files: readonly SuiteFile[]): Promise<PackedSuite> {
  checkSuiteName(name);
  const tasks = readSuite(files).cases.length;
  const archive = await writeSuiteArchive(files);
  return { name, tasks, bytes: archive.byteLength, archive };
}

/** Checks that a ConfigMap can have the name. @throws SuiteNameError */
function checkSuiteName(name: string): void {
  if (name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) return;
  throw new SuiteNameError(
    `--name ${JSON.stringify(name.slice(0, 80))} is not a valid ConfigMap name; use lower-case letters, digits, "-" and "."`,
  );
}

/**
 * Stores a suite as one immutable ConfigMap. An existing suite of the same name is deleted and created again: running
 * batches have the hash of each of their tasks and refuse a different suite of the same name.
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

/** Only a suite that was pushed may be deleted, not settings of users or objects that another controller manages. */
function refuseForeign(map: Live<ConfigMap>): Live<ConfigMap> {
  const { name, labels = {}, ownerReferences = [] } = map.metadata;
  const isSuite = Object.entries(LABELS).every(([key, value]) => labels[key] === value);
  if (isSuite && ownerReferences.length === 0) return map;
  const why = isSuite
    ? `is owned by ${ownerReferences.map((owner) => `${owner.kind} ${owner.name}`).join(', ')}`
    : 'exists and was not created by clawbench tasks push';
  throw new NotASuite(`ConfigMap "${name}" ${why}; use a different --name or delete the ConfigMap`);
}

/**
 * Stores a suite of any size as an object, for `spec.suite.s3.prefix`.
 * @returns the key relative to the prefix of the store, too
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
      `the suite is too large for a ConfigMap: ${String(suite.bytes)} bytes gzipped, at most ${String(MAX_BYTES)} are possible; push it with --s3 s3://BUCKET/PREFIX`,
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
