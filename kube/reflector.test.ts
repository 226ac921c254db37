import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONFIG_MAPS, type ConfigMap } from './kinds.ts';
import { startReflector, type Reflector, type ReflectorOptions } from './reflector.ts';
import { resource } from './resource.ts';
import { byLabel } from './store.ts';
import { startFaultServer, type ApiFault, type FaultServer } from './testing/fault-server.ts';

let server: FaultServer;
let reflector: Reflector<ConfigMap> | undefined;

beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(async () => {
  await reflector?.stop();
  await server.close();
});

const put = (name: string, extra: object = {}): void =>
  server.api.put('configmaps', { metadata: { name, namespace: 'ns', ...extra } });

/** Short timers: a second of silence is long here. */
async function started(options: Partial<ReflectorOptions<ConfigMap>> = {}): Promise<Reflector<ConfigMap>> {
  reflector = startReflector(resource(server.client(), CONFIG_MAPS), {
    log: pino({ level: 'silent' }),
    staleAfterMs: 300,
    backoff: { baseMs: 5, capMs: 50 },
    ...options,
  });
  await reflector.synced;
  return reflector;
}

const names = (): string[] => (reflector?.store.list() ?? []).map((object) => object.metadata.name).sort();
const count = (verb: string): number => server.seen.filter((request) => request.verb === verb).length;
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 });

describe('a reflector', () => {
  it('lists all pages, then follows the watch', async () => {
    for (let index = 0; index < 7; index += 1) put(`c${index}`);
    await started({ pageSize: 3 });
    expect(names()).toHaveLength(7);
    expect(count('list')).toBe(3);
    put('late');
    server.api.remove('configmaps', 'c0');
    await eventually(() => expect(names()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'late']));
    expect(count('list')).toBe(3);
  });

  it('requests bookmarks, a time limit, the version of the list and the selectors', async () => {
    put('a');
    await started({ labelSelector: 'x=y', fieldSelector: 'metadata.name=a', watchSeconds: 100 });
    await eventually(() => expect(count('watch')).toBe(1));
    const query = Object.fromEntries(server.seen.find((request) => request.verb === 'watch')?.query ?? []);
    expect(query).toMatchObject({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '101' });
    expect(query).toMatchObject({ labelSelector: 'x=y', fieldSelector: 'metadata.name=a' });
    expect(Number(query['timeoutSeconds'])).toBeGreaterThanOrEqual(80);
    expect(Number(query['timeoutSeconds'])).toBeLessThanOrEqual(120);
  });

  it('reports added, modified with the old state, and deleted; replays to late subscribers', async () => {
    put('a');
    await started();
    const changes: string[] = [];
    const end = reflector?.subscribe(({ type, object, old }) =>
      changes.push(`${type} ${object.metadata.name} ${old?.metadata.resourceVersion ?? '-'}`),
    );
    put('a');
    put('b');
    server.api.remove('configmaps', 'a');
    await eventually(() => expect(changes).toEqual(['added a -', 'modified a 101', 'added b -', 'deleted a -']));
    end?.();
    put('c');
    await eventually(() => expect(names()).toEqual(['b', 'c']));
    expect(changes).toHaveLength(4);
  });

  it('finds objects by index, and removes moved and deleted ones from it', async () => {
    put('a', { labels: { batch: 'one' } });
    await started({ indexers: { batch: byLabel('batch') } });
    const found = (value: string): string[] =>
      (reflector?.store.byIndex('batch', value) ?? []).map((object) => object.metadata.name);
    expect(found('one')).toEqual(['a']);
    put('a', { labels: { batch: 'two' } });
    await eventually(() => expect([found('one'), found('two')]).toEqual([[], ['a']]));
    server.api.remove('configmaps', 'a');
    await eventually(() => expect(found('two')).toEqual([]));
    expect(() => reflector?.store.byIndex('bacth', 'one')).toThrow('no index bacth');
  });

  it('drops managedFields and fills in apiVersion and kind', async () => {
    put('a', { managedFields: [{ manager: 'x' }] });
    await started();
    const object = reflector?.store.get('ns/a');
    expect(object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(object?.metadata).not.toHaveProperty('managedFields');
  });

  it('keeps going when a handler throws or rejects', async () => {
    await started();
    const told: string[] = [];
    reflector?.subscribe(() => {
      throw new Error('a bug');
    });
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the mistake under test
    reflector?.subscribe(() => Promise.reject(new Error('an async bug')));
    reflector?.subscribe(({ object }) => told.push(object.metadata.name));
    put('a');
    put('b');
    await eventually(() => expect(told).toEqual(['a', 'b']));
  });

  it('reports the time since the last response', async () => {
    await started({ staleAfterMs: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(reflector?.quietMs()).toBeGreaterThanOrEqual(290);
    put('a');
    await eventually(() => expect(names()).toEqual(['a']));
    expect(reflector?.quietMs()).toBeLessThan(290);
  });
});

const listFaults: [string, ApiFault[]][] = [
  ['500', [{ kind: 'status', code: 500 }]],
  ['429 with Retry-After', [{ kind: 'status', code: 429, retryAfter: '1' }]],
  ['403, again and again', Array.from({ length: 5 }, () => ({ kind: 'status', code: 403 }) as const)],
  ['a reset', [{ kind: 'reset' }]],
  ['silence', [{ kind: 'silence' }]],
  ['slow loris', [{ kind: 'loris' }]],
  ['HTML from a proxy', [{ kind: 'html' }]],
  ['410', [{ kind: 'status', code: 410, reason: 'Expired' }]],
];
describe.each(listFaults)('when the list suffers %s', (_name, faults) => {
  it('is complete in the end', async () => {
    put('a');
    server.fail('list', ...faults);
    await started({ listTimeoutMs: 200 });
    expect(names()).toEqual(['a']);
  });
});

const watchFaults: [string, ApiFault[]][] = [
  ['500', [{ kind: 'status', code: 500 }]],
  ['410 as status', [{ kind: 'status', code: 410, reason: 'Gone' }]],
  ['410 as event', [{ kind: 'watchError', code: 410 }]],
  ['500 as event', [{ kind: 'watchError', code: 500 }]],
  ['429 with Retry-After', [{ kind: 'status', code: 429, retryAfter: '1' }]],
  ['a reset before the head', [{ kind: 'reset' }]],
  ['a reset after the head', [{ kind: 'watchReset' }]],
  ['silence before the head', [{ kind: 'silence' }]],
  ['silence after the head', [{ kind: 'watchSilence' }]],
  ['slow loris', [{ kind: 'watchLoris' }]],
  ['garbage', [{ kind: 'watchGarbage' }]],
  ['half a line', [{ kind: 'watchHalfLine' }]],
  ['HTML from a proxy', [{ kind: 'html' }]],
  ['an end at once', [{ kind: 'watchEnd' }]],
  [
    'everything in a row',
    [
      { kind: 'watchReset' },
      { kind: 'status', code: 500 },
      { kind: 'watchGarbage' },
      { kind: 'watchSilence' },
      { kind: 'watchError', code: 410 },
      { kind: 'reset' },
      { kind: 'watchHalfLine' },
    ],
  ],
];
describe.each(watchFaults)('when the watch suffers %s', (_name, faults) => {
  it('converges without missing changes made meanwhile', async () => {
    put('stays');
    put('goes');
    server.fail('watch', ...faults);
    await started();
    const changes: string[] = [];
    reflector?.subscribe(({ type, object }) => changes.push(`${type} ${object.metadata.name}`));
    put('new');
    server.api.remove('configmaps', 'goes');
    await eventually(() => expect(names()).toEqual(['new', 'stays']));
    await eventually(() => expect(server.pending('watch')).toBe(0));
    put('newer');
    await eventually(() => expect(names()).toEqual(['new', 'newer', 'stays']));
    const once = ['added goes', 'added new', 'added newer', 'added stays', 'deleted goes'];
    expect(changes.toSorted()).toEqual(once);
  });
});

describe('restarting', () => {
  it('detects that an open watch is silent', async () => {
    await started();
    put('a');
    await eventually(() => expect(names()).toEqual(['a']));
    server.mute();
    put('b');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(names()).toEqual(['a']);
    await eventually(() => expect(names()).toEqual(['a', 'b']));
  });

  it('continues from the last version without a list after one lost watch', async () => {
    await started();
    put('a');
    await eventually(() => expect(names()).toEqual(['a']));
    server.mute();
    put('b');
    await eventually(() => expect(names()).toEqual(['a', 'b']));
    expect(count('list')).toBe(1);
    const watches = server.seen.filter((request) => request.verb === 'watch');
    expect(watches.map((request) => request.query.get('resourceVersion'))).toEqual(['100', '101']);
  });

  it('lists again when its version has expired, and reports deletions that it missed', async () => {
    put('a');
    put('b');
    await started();
    const changes: string[] = [];
    reflector?.subscribe(({ type, object }) => changes.push(`${type} ${object.metadata.name}`));
    await eventually(() => expect(count('watch')).toBe(1));
    server.mute();
    server.api.remove('configmaps', 'a');
    server.api.remove('configmaps', 'b');
    put('b');
    server.api.compact();
    await eventually(() => expect(changes).toEqual(['added a', 'added b', 'deleted a', 'deleted b', 'added b']));
    expect(names()).toEqual(['b']);
  });

  it('never has two lists or watches at the same time, and backs off while the server is down', async () => {
    await started({ backoff: { baseMs: 40, capMs: 80 } });
    server.fail('watch', ...Array.from({ length: 40 }, () => ({ kind: 'status', code: 500 }) as const));
    server.mute();
    await new Promise((resolve) => setTimeout(resolve, 800));
    // One try per 20–80 ms after the 300 ms of silence; a storm would be hundreds.
    expect(count('watch')).toBeGreaterThan(3);
    expect(count('watch')).toBeLessThan(40);
  });

  it('avoids a tight loop when every watch ends immediately', async () => {
    await started({ backoff: { baseMs: 40, capMs: 80 } });
    server.fail('watch', ...Array.from({ length: 100 }, () => ({ kind: 'watchEnd' }) as const));
    server.mute();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(count('watch')).toBeLessThan(30);
  });

  it('lists again periodically even if the watch works', async () => {
    await started({ relistMs: 100, watchSeconds: 1, staleAfterMs: 5_000 });
    await eventually(() => expect(count('list')).toBeGreaterThanOrEqual(2));
  });

  it('stops at any point, and does not sync afterwards', async () => {
    server.fail('list', { kind: 'silence' });
    reflector = startReflector(resource(server.client(), CONFIG_MAPS), { log: pino({ level: 'silent' }) });
    await eventually(() => expect(count('list')).toBe(1));
    await reflector.stop();
    await expect(reflector.synced).rejects.toThrow('stopped before');
  });
});
