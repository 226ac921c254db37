import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BATCH_KIND, BATCH_PLURAL, GROUP, RUN_PLURAL, VERSION } from '../../crds/group.ts';
import type { SampleManifest } from '../../crds/samples.fixture.ts';
import { createClient } from '../../kube/client.ts';
import type { ApiCall, KubeClient } from '../../kube/client.ts';
import { ApiError, isNotFound } from '../../kube/errors.ts';

/** A namespace of a real API server with our CRDs, and our kinds in it. For tests of what the API server itself does. */
export interface Playground {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Creates and gives what the server stored. */
  create(manifest: SampleManifest<object>, dryRun?: boolean): Promise<Stored>;
  /** Replaces the spec. */
  update(stored: Stored, spec: object): Promise<Stored>;
  /** A folder of its own, removed at the end. */
  readonly scratch: string;
  end(): Promise<void>;
}

export interface Stored {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

export const pathOf = (namespace: string, kind: string, name = ''): string =>
  `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${kind === BATCH_KIND ? BATCH_PLURAL : RUN_PLURAL}${name && `/${name}`}`;

const GENERATED = join(import.meta.dirname, '../../crds/generated');
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls until it succeeds, for 10 s: a CRD is served, a policy acts a moment after it is stored. */
export const eventually = async (attempt: () => Promise<unknown>): Promise<void> => {
  for (let left = 50; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(200);
    }
  }
};

/** Server-side apply of any object at its path. */
export const apply = (client: KubeClient, path: string, body: unknown): Promise<unknown> =>
  client.request({
    method: 'PATCH',
    path,
    body,
    contentType: 'application/apply-patch+yaml',
    query: { fieldManager: 'clawbench-test', force: true },
  });

/** Applies both CRDs; gives those that were not there before, which the caller deletes at its end. */
const installCrds = async (client: KubeClient): Promise<string[]> => {
  const made: string[] = [];
  for (const file of readdirSync(GENERATED)) {
    const crd = parse(readFileSync(join(GENERATED, file), 'utf8')) as { metadata: { name: string } };
    const path = `${CRDS}/${crd.metadata.name}`;
    const missing = await client.request({ method: 'GET', path }).then(() => false, isNotFound);
    await apply(client, path, crd);
    if (missing) made.push(path);
  }
  return made;
};

/** @throws when KUBECONFIG leads to no API server. */
export const playground = async (label: string): Promise<Playground> => {
  const client = createClient();
  const made = await installCrds(client);
  const namespace = `cb-${label}-${Date.now().toString(36)}`;
  await client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  for (const kind of [BATCH_KIND, 'run']) {
    await eventually(() => client.request({ method: 'GET', path: pathOf(namespace, kind) }));
  }
  const scratch = mkdtempSync(join(tmpdir(), 'clawbench-e2e-'));
  const call = (call: ApiCall): Promise<Stored> => client.request<Stored>(call);
  return {
    client,
    namespace,
    scratch,
    create: (manifest, dryRun = false) =>
      call({
        method: 'POST',
        path: pathOf(namespace, manifest.kind),
        body: manifest,
        query: { dryRun: dryRun ? 'All' : undefined, fieldValidation: 'Strict' },
      }),
    update: (stored, spec) =>
      call({
        method: 'PUT',
        path: pathOf(namespace, stored.kind, stored.metadata.name),
        body: { ...stored, spec },
        query: { dryRun: 'All', fieldValidation: 'Strict' },
      }),
    end: async () => {
      rmSync(scratch, { recursive: true });
      await client.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
      for (const path of made) await client.request({ method: 'DELETE', path });
      // The next suite may install the chart: Helm refuses a CRD that is still going.
      for (const path of made) {
        await eventually(async () => {
          const gone = await client.request({ method: 'GET', path }).then(() => false, isNotFound);
          if (!gone) throw new Error(`${path} is still there`);
        });
      }
      await client.close();
    },
  };
};

/** The sentence with which the API server refuses, or `accepted`. */
export const refusal = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
    return 'accepted';
  } catch (error) {
    if (error instanceof ApiError && [400, 403, 422].includes(error.status)) return error.message;
    throw error;
  }
};
