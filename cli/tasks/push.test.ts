import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../benchmark/text/sha256.ts';
import { readSuite } from '../../benchmark/task/suite.ts';
import { parseTask } from '../../benchmark/task/task.ts';
import { openDirectoryStore } from '../../store/directory.ts';
import { readSuiteArchive } from '../../store/suite-archive.ts';
import { CORPORA, hasCorpus } from '../../test/shared-data.ts';
import { listTasks } from './list.ts';
import { packSuite, pushSuiteToStore, suiteConfigMap, SuiteNameError, SuiteTooLarge } from './push.ts';
import { readSuiteFolder } from './read-folder.ts';
import { storeFromUrl } from './store-url.ts';

const TASK = Buffer.from('{"instruction":"do","eval_schema":{"url_pattern":"^x","method":"POST"},"time_limit":30}');
const suite = [
  { path: '002-b/task.json', bytes: TASK },
  { path: '001-a/task.json', bytes: TASK },
];
const here = (): string => mkdtempSync(join(tmpdir(), 'push-'));

it('packs the same suite into the same bytes, whatever the order', async () => {
  const [one, other] = [await packSuite('s', suite), await packSuite('s', suite.toReversed())];
  expect(Buffer.compare(one.archive, other.archive)).toBe(0);
  expect(one).toMatchObject({ tasks: 2, bytes: one.archive.byteLength });
});

it.each(['Big', 'a_b', '', '-a', 'x'.repeat(254)])('refuses the name %s', async (name) => {
  await expect(packSuite(name, suite)).rejects.toThrow(SuiteNameError);
});

it('stores a suite above 1 MiB in S3', async () => {
  const big = [...suite, { path: '001-a/extra_info/x.bin', bytes: new Uint8Array(randomBytes(1_200_000)) }];
  const packed = await packSuite('big', big);
  expect(() => suiteConfigMap(packed)).toThrow(SuiteTooLarge);
  expect(() => suiteConfigMap(packed)).toThrow(/--s3/);
  const store = openDirectoryStore(here());
  const { key } = await pushSuiteToStore(store, 'big', big);
  expect(key).toBe('suites/big.tar.gz');
  const files = await readSuiteArchive((await store.get(key)) ?? new Uint8Array());
  expect(readSuite(files).cases.map((one) => one.name)).toEqual(['001-a', '002-b']);
});

it('reads an archive made by tar, and one in a ConfigMap', async () => {
  const root = here();
  for (const file of suite) {
    mkdirSync(join(root, file.path, '..'), { recursive: true });
    writeFileSync(join(root, file.path), file.bytes);
  }
  execFileSync('tar', ['czf', join(root, 'suite.tar.gz'), '-C', root, '001-a', './002-b']);
  const files = await readSuiteArchive(readFileSync(join(root, 'suite.tar.gz')));
  expect(listTasks(files, { ids: '2' }).map((one) => one.case)).toEqual(['002-b']);
  const map = suiteConfigMap(await packSuite('s', suite), 'ns');
  const back = await readSuiteArchive(Buffer.from(map.binaryData?.['suite.tar.gz'] ?? '', 'base64'));
  expect(back.map((file) => file.path)).toEqual(['001-a/task.json', '002-b/task.json']);
  expect(map).toMatchObject({ immutable: true, metadata: { name: 's', namespace: 'ns' } });
});

describe('storeFromUrl', () => {
  it('parses bucket, prefix and endpoint', () => {
    expect(storeFromUrl('s3://traces/a/b/', { endpoint: 'http://h:9000' })).toMatchObject({
      s3: { bucket: 'traces', prefix: 'a/b', endpoint: 'http://h:9000', forcePathStyle: true },
    });
    expect(storeFromUrl('s3://traces')).toMatchObject({ s3: { prefix: '', forcePathStyle: false } });
  });
  it.each(['http://traces', 's3://', 's3://UPPER/x', 'traces'])('refuses %s', (url) => {
    expect(() => storeFromUrl(url)).toThrow(/s3:\/\/BUCKET/);
  });
});

const known = [
  ['v1', 152],
  ['v1-lite', 20],
  ['claw-eval', 19],
  ['v2', 129],
].filter(([name]) => hasCorpus(String(name))) as [string, number][];

describe.runIf(known.length > 0).each(known)('the public corpus %s', (name, count) => {
  it(`is unchanged after a round trip through its archive: ${String(count)} tasks, extra files and all`, async () => {
    const files = await readSuiteFolder(join(CORPORA, name));
    const packed = await packSuite(name, files);
    suiteConfigMap(packed);
    const [before, after] = [readSuite(files), readSuite(await readSuiteArchive(packed.archive))];
    expect(after.cases).toHaveLength(count);
    // Hashes, since a byte-wise comparison of some thousand files takes the test runner minutes.
    const hashes = (suite: typeof after): unknown =>
      suite.cases.map((one) => [one.name, [...one.files].map(([path, bytes]) => [path, sha256Hex(bytes)])]);
    expect(hashes(after)).toEqual(hashes(before));
    for (const one of after.cases) expect(parseTask(one.taskBytes).instruction).not.toBe('');
  });
});
