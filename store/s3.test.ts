import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectStoreContract } from './object-store.contract.ts';
import { StoreRefused, StoreUnavailable } from './object-store.ts';
import { openStore } from './open.ts';
import { probeStore } from './probe.ts';
import { findVersitygw, type S3Server, startS3Server } from './versitygw.fixture.ts';

const binary = findVersitygw();
if (binary === null)
  console.warn(
    'store/s3.test.ts: no versitygw on this machine (built by `npm run cluster -- up`, or set VERSITYGW): skipped',
  );

describe.skipIf(binary === null)('with a real S3 server', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server(binary!);
  });
  afterAll(() => server.close());
  const open = (change: Partial<S3Server['location']> = {}, env: Record<string, string> = {}) =>
    openStore(
      { kind: 's3', s3: { ...server.location, ...change } },
      { env: { ...server.env, ...env }, retrySeconds: 0 },
    );

  objectStoreContract('S3', () => open());

  test('the probe succeeds and leaves nothing behind', async () => {
    const store = await open();
    expect(await probeStore(store)).toBeNull();
    for await (const { key } of store.list('_probe/')) expect.unreachable(key);
  });

  test.each([
    ['an unknown access key', {}, { AWS_ACCESS_KEY_ID: 'nobody' }, /credentials.*secretRef/],
    ['a wrong secret', {}, { AWS_SECRET_ACCESS_KEY: 'wrong' }, /credentials.*secretRef/],
    ['a missing bucket', { bucket: 'no-such-bucket' }, {}, /bucket "no-such-bucket" does not exist/],
  ])('%s is one sentence that names the remedy', async (_name, change, env, sentence) => {
    const store = await open(change, env);
    const failure = await probeStore(store);
    expect(failure).toMatchObject({ reason: 'StoreRefused', retryable: false });
    expect(failure?.message).toMatch(sentence);
    await expect(store.put('x', 'x')).rejects.toBeInstanceOf(StoreRefused);
    await expect(store.get('x')).rejects.toBeInstanceOf(StoreRefused);
  });

  test('missing credentials are refused at once', async () => {
    await expect(openStore({ kind: 's3', s3: server.location }, { env: {} })).rejects.toBeInstanceOf(StoreRefused);
  });

  test('a refused connection is retryable', async () => {
    const store = await open({ endpoint: 'http://127.0.0.1:1' });
    await expect(store.put('x', 'x')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await probeStore(store)).toMatchObject({ reason: 'StoreUnavailable', retryable: true });
  });

  test('an upload cut in the middle leaves no parts behind', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 's3-test-'));
    const path = join(scratch, 'large');
    await writeFile(path, Buffer.alloc(64 * 1024 * 1024, 1));
    const controller = new AbortController();
    const store = await open();
    setTimeout(() => controller.abort(), 150);
    const outcome = await store.putFile('cut/large', path, { signal: controller.signal }).then(
      () => 'finished',
      (error: Error) => error.name,
    );
    await rm(scratch, { recursive: true });
    expect(outcome).toBe('AbortError');
    const client = new S3Client({
      endpoint: server.location.endpoint!,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: server.env.AWS_ACCESS_KEY_ID!, secretAccessKey: server.env.AWS_SECRET_ACCESS_KEY! },
    });
    const left = await client.send(new ListMultipartUploadsCommand({ Bucket: server.location.bucket }));
    expect(left.Uploads ?? []).toEqual([]);
    expect(await store.get('cut/large')).toBeNull();
  });

  test('a call survives an outage of the server', async () => {
    const store = await openStore({ kind: 's3', s3: server.location }, { env: server.env, retrySeconds: 20 });
    await server.stop();
    const written = store.put('outage/key', 'kept', { ifNoneMatch: '*' });
    setTimeout(() => void server.start(), 600);
    expect(await written).toBe(4);
    expect(Buffer.from((await store.get('outage/key'))!).toString()).toBe('kept');
  });
});
