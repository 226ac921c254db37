import { expect, it } from 'vitest';
import { memoryStore } from './memory.fixture.ts';
import { readStoredSuite } from './stored-suite.ts';
import { writeSuiteArchive } from './suite-archive.ts';

it('is read by its key, and a missing or invalid archive is reported', async () => {
  const store = memoryStore();
  await store.put('suites/big.tar.gz', await writeSuiteArchive([{ path: 'a/task.json', bytes: Buffer.from('{}') }]));
  await store.put('suites/text', 'no archive');
  expect((await readStoredSuite(store, 'suites/big.tar.gz')).map((file) => file.path)).toEqual(['a/task.json']);
  await expect(readStoredSuite(store, 'suites/none')).rejects.toThrow(
    /the suite archive suites\/none does not exist in/,
  );
  await expect(readStoredSuite(store, 'suites/text')).rejects.toThrow(/not gzip/);
});
