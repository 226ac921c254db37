import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMailSecret } from './mail-secret.ts';
import { openMail } from './open.ts';

it('reads a Secret as the kubelet mounts it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mail-'));
  mkdirSync(join(dir, '..data'));
  const values = { email: 'a@b.test', password: 'pass\n', loginUrl: 'https://b.test/login' };
  for (const [key, value] of Object.entries(values)) {
    writeFileSync(join(dir, '..data', key), value);
    symlinkSync(join('..data', key), join(dir, key));
  }
  const provider = await openMail(await readMailSecret('Static', dir));
  expect(await provider.create('uid', 1)).toEqual({ ...values, password: 'pass', provider: 'Static' });
  await expect(readMailSecret('PurelyMail', join(dir, 'none'))).rejects.toThrow(/apiKey/);
  expect((await (await openMail(await readMailSecret('None', '/nowhere'))).create('u', 1)).provider).toBe('None');
});
