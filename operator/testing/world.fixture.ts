import { pino } from 'pino';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { ApiCall, KubeClient } from '../../kube/client.ts';
import { ApiError } from '../../kube/errors.ts';
import type { Job, Pod } from '../../kube/kinds.ts';
import { keyOf, type KubeObject, type Live } from '../../kube/object.ts';
import { byLabel, byOwnerUid, createStore, type WritableStore } from '../../kube/store.ts';
import { createTaskLists } from '../batch/task-lists.ts';
import { BY_BATCH_UID, BY_OWNER, BY_RUN, type ReconcilerDeps } from '../deps.ts';
import { RUN_LABEL } from '../labels.ts';
import { createConfigMapCheck } from '../pod/missing-config-map.ts';
import { usageFromProgress, type ProgressAnswer } from '../progress/poll-progress.ts';

function createStores(): {
  clawbenchbatches: WritableStore<Batch>;
  clawbenchruns: WritableStore<Run>;
  pods: WritableStore<Pod>;
  jobs: WritableStore<Job>;
} {
  return {
    clawbenchbatches: createStore<Batch>({}),
    clawbenchruns: createStore<Run>({ [BY_BATCH_UID]: (run) => [run.spec.batchRef?.uid ?? ''] }),
    pods: createStore<Pod>({ [BY_OWNER]: byOwnerUid, [BY_RUN]: byLabel(RUN_LABEL) }),
    jobs: createStore<Job>({ [BY_OWNER]: byOwnerUid }),
  };
}

/** The operator was killed here. */
export class Killed extends Error {}

/** A write that the API server receives. */
export interface Write {
  readonly verb: string;
  readonly path: string;
  /** Name of the object. */
  readonly name: string;
}

/**
 * Just enough of an API server for the operator's own decisions: names are unique, resourceVersions and UIDs are
 * preconditions, merge patches merge. What only a real one shows is in test/e2e. Stores are always fresh here, unless a
 * test holds them back.
 */
export class World {
  now = Date.parse('2026-01-01T00:00:00Z');
  readonly writes: Write[] = [];
  /** Decides for each write whether the operator dies before or after it is executed. */
  kill: (write: Write, index: number) => 'before' | 'after' | null = () => null;
  readonly stores = createStores();
  /** What the operator's caches hold: the same, or while `lagging`, what existed at the last `sync`. */
  readonly caches = createStores();
  lagging = false;
  /** The operator of the last {@link deps} was killed: none of its further requests is executed. */
  dead = false;
  private readonly others = createStore<KubeObject>({});
  private version = 1;
  readonly woken = new Set<string>();
  /** What recorders respond to the poll, by the pod's UID. */
  readonly progress = new Map<string, ProgressAnswer>();

  store(plural: string): WritableStore<KubeObject> {
    const stores = this.stores as unknown as Record<string, WritableStore<KubeObject>>;
    return stores[plural] ?? this.others;
  }

  /** Brings the caches up to date, as watches do eventually. */
  sync(): void {
    for (const [plural, store] of Object.entries(this.stores)) {
      const cache = (this.caches as unknown as Record<string, WritableStore<KubeObject>>)[plural];
      for (const key of cache?.keys() ?? []) if (store.get(key) === undefined) cache?.delete(key);
      for (const object of store.list()) cache?.set(object);
    }
  }

  /** Writes as another client would. */
  put(plural: string, object: KubeObject): Live<KubeObject> {
    this.version += 1;
    const old = this.find(plural, object.metadata.name);
    const metadata = {
      namespace: 'bench',
      generation: 1,
      ...object.metadata,
      uid: old?.metadata.uid ?? object.metadata.uid ?? `uid-${String(this.version)}`,
      resourceVersion: String(this.version),
      creationTimestamp: old?.metadata.creationTimestamp ?? new Date(this.now).toISOString(),
    };
    const saved = { ...object, metadata } as Live<KubeObject>;
    this.store(plural).set(
      this.others === this.store(plural)
        ? { ...saved, kind: plural, metadata: { ...metadata, name: `${plural}/${metadata.name}` } }
        : saved,
    );
    if (!this.lagging) this.sync();
    return saved;
  }

  find(plural: string, name: string): Live<KubeObject> | undefined {
    if (this.store(plural) !== this.others) return this.store(plural).get(`bench/${name}`);
    const found = this.others.get(`bench/${plural}/${name}`);
    return found === undefined ? undefined : { ...found, metadata: { ...found.metadata, name } };
  }

  remove(plural: string, name: string): void {
    this.store(plural).delete(this.store(plural) === this.others ? `bench/${plural}/${name}` : `bench/${name}`);
    if (!this.lagging) this.sync();
  }

  private request(call: ApiCall): Live<KubeObject> {
    const { plural, name } = locate(call.path);
    if (this.dead) throw new Killed();
    if (call.method === 'GET') return this.existing(plural, name, call);
    const write = { verb: call.method, path: call.path, name: name || (call.body as KubeObject).metadata.name };
    const death = this.kill(write, this.writes.length);
    this.writes.push(write);
    this.dead = death !== null;
    if (death === 'before') throw new Killed();
    const answer = this.execute(call, plural, name);
    if (death === 'after') throw new Killed();
    return answer;
  }

  private existing(plural: string, name: string, call: ApiCall): Live<KubeObject> {
    const found = this.find(plural, name);
    if (found === undefined) throw failure(404, 'NotFound', call);
    return found;
  }

  private execute(call: ApiCall, plural: string, name: string): Live<KubeObject> {
    const body = call.body as KubeObject & { preconditions?: { uid?: string; resourceVersion?: string } };
    if (call.method === 'POST') {
      if (this.find(plural, body.metadata.name) !== undefined) throw failure(409, 'AlreadyExists', call);
      return this.put(plural, body);
    }
    if (call.contentType === 'application/apply-patch+yaml')
      return this.put(plural, { ...this.find(plural, name), ...body });
    const old = this.existing(plural, name, call);
    const expected = call.method === 'DELETE' ? body.preconditions : body.metadata;
    for (const key of ['uid', 'resourceVersion'] as const) {
      if (expected?.[key] !== undefined && expected[key] !== old.metadata[key]) throw failure(409, 'Conflict', call);
    }
    if (call.method === 'PATCH') return this.put(plural, mergePatch(old, body) as KubeObject);
    this.remove(plural, name);
    return old;
  }

  /** What the operator's reconcilers get; new after each crash. */
  deps(): ReconcilerDeps {
    this.dead = false;
    const client = {
      request: (call: ApiCall) => Promise.resolve().then(() => this.request(call)),
    } as unknown as KubeClient;
    const nothing = (): void => undefined;
    return {
      client,
      batches: this.caches.clawbenchbatches,
      runs: this.caches.clawbenchruns,
      pods: this.caches.pods,
      jobs: this.caches.jobs,
      tasks: createTaskLists(client),
      admitted: new Map(),
      wakeRun: (key) => this.woken.add(key),
      progress: {
        of: (uid) => this.progress.get(uid),
        publishedUsage: (uid) => {
          const answer = this.progress.get(uid);
          return answer === undefined ? undefined : usageFromProgress(answer);
        },
        finalising: () => null,
      },
      configMapCheck: createConfigMapCheck(client, () => this.now),
      images: { recorder: 'recorder:1', browser: 'browser:1', judge: 'judge:1', harnesses: { null: 'null:1' } },
      events: { event: nothing, flush: () => Promise.resolve() },
      metrics: { outcome: nothing, batch: nothing, forgetBatch: nothing },
      log: pino({ level: 'silent' }),
      now: () => this.now,
    };
  }
}

function locate(path: string): { plural: string; name: string } {
  const [, plural = '', name = ''] = /\/namespaces\/[^/]+\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return { plural, name };
}

function failure(status: number, reason: string, call: ApiCall): ApiError {
  return new ApiError({ status, reason, message: reason, method: call.method, path: call.path });
}

/** RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

export const keysOf = (store: { list(): Live<KubeObject>[] }): string[] => store.list().map(keyOf);
