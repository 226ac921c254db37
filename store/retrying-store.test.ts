import { expect, test } from 'vitest';
import { memoryStore } from './memory.fixture.ts';
import { StoreConflict, StoreUnavailable } from './object-store.ts';
import { retryingStore } from './retrying-store.ts';

const policy = { deadlineMs: 60_000, pause: (): Promise<void> => Promise.resolve() };

test('a conditional write whose response was lost succeeds', async () => {
  const inner = memoryStore();
  inner.loseNextAnswer();
  const store = retryingStore(inner, policy);
  expect(await store.put('claim', 'mine', { ifNoneMatch: '*' })).toBe(4);
});

test('a conditional write that finds another object after a failure is a conflict', async () => {
  const inner = memoryStore();
  await inner.put('claim', 'theirs');
  inner.failNext(1);
  await expect(retryingStore(inner, policy).put('claim', 'mine', { ifNoneMatch: '*' })).rejects.toBeInstanceOf(
    StoreConflict,
  );
});

test('a conflict at the first try is final even if the bytes are equal', async () => {
  const inner = memoryStore();
  await inner.put('claim', 'same');
  await expect(retryingStore(inner, policy).put('claim', 'same', { ifNoneMatch: '*' })).rejects.toBeInstanceOf(
    StoreConflict,
  );
});

test('a list that fails halfway continues without repeating or losing a key', async () => {
  const inner = memoryStore();
  for (const key of ['a', 'b', 'c', 'd']) await inner.put(key, key);
  let broken = false;
  const store = retryingStore(
    {
      ...inner,
      async *list(prefix) {
        for await (const entry of inner.list(prefix)) {
          if (entry.key === 'c' && !broken) {
            broken = true;
            throw new StoreUnavailable('ECONNRESET', 'reset');
          }
          yield entry;
        }
      },
    },
    policy,
  );
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  expect(keys).toEqual(['a', 'b', 'c', 'd']);
  expect(broken).toBe(true);
});
