import { expect, test } from 'vitest';
import { memoryStore } from './memory.fixture.ts';
import { StoreRefused } from './object-store.ts';
import { probeStore } from './probe.ts';

test('a store that ignores the condition is refused', async () => {
  const store = memoryStore();
  const failure = await probeStore({ ...store, put: (key, body) => store.put(key, body) });
  expect(failure).toMatchObject({ reason: 'ConditionalWritesUnsupported', retryable: false });
  expect(store.objects.size).toBe(0);
});

test('a store that returns old bytes is refused', async () => {
  const store = memoryStore();
  const failure = await probeStore({ ...store, get: () => Promise.resolve(Buffer.from('stale')) });
  expect(failure).toMatchObject({ reason: 'StoreInconsistent' });
});

test('a missing permission to delete is reported', async () => {
  const store = memoryStore();
  const refuse = (): Promise<void> => Promise.reject(new StoreRefused('AccessDenied', 'may not delete'));
  expect(await probeStore({ ...store, delete: refuse })).toMatchObject({
    reason: 'StoreRefused',
    message: 'may not delete',
  });
});
