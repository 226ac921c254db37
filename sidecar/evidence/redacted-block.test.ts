import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BLOCK_BYTES, readRedactedBlock } from './redacted-block.ts';
import { openSecrets } from './secrets.ts';

const root = await mkdtemp(join(tmpdir(), 'redacted-block-'));
afterAll(() => rm(root, { recursive: true, force: true }));

async function readAll(content: string | Buffer, secrets: string[]): Promise<string> {
  const path = join(root, 'file');
  await writeFile(path, content);
  const file = await open(path);
  const parts: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const block = await readRedactedBlock(file, offset, true, openSecrets(secrets));
    if (!block || block.bytes.length === 0) break;
    parts.push(block.bytes);
    offset = block.next;
  }
  await file.close();
  return Buffer.concat(parts).toString();
}

test('a value across the end of a block is found, wherever the block ends', async () => {
  const secret = 'planted-secret-value';
  for (const shift of [1, 5, 19, 20, 21, 45, 63, 64, 65, 90]) {
    const head = 'x'.repeat(BLOCK_BYTES - shift);
    const text = await readAll(`${head}${secret}${'y'.repeat(100)}`, [secret]);
    expect(text.includes(secret)).toBe(false);
    expect(text).toBe(`${head}[REDACTED]${'y'.repeat(100)}`);
  }
});

test('characters of several bytes are not cut', async () => {
  const text = 'é€😀'.repeat(BLOCK_BYTES / 8);
  expect((await readAll(text, ['planted-secret-value'])) === text).toBe(true);
});

test('an unfinished line waits until the file is final', async () => {
  const path = join(root, 'growing');
  await writeFile(path, '{"a":1}\n{"b"');
  const file = await open(path);
  const secrets = openSecrets([]);
  const first = await readRedactedBlock(file, 0, false, secrets);
  expect(first?.bytes.toString()).toBe('{"a":1}\n');
  expect(await readRedactedBlock(file, first?.next ?? 0, false, secrets)).toBeNull();
  expect((await readRedactedBlock(file, first?.next ?? 0, true, secrets))?.bytes.toString()).toBe('{"b"');
  await file.close();
});
