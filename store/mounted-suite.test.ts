import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMountedSuite } from './mounted-suite.ts';
import { writeSuiteArchive } from './suite-archive.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'suite-'));

it('is the archive if there is one', async () => {
  const at = folder();
  writeFileSync(join(at, 'suite.tar.gz'), await writeSuiteArchive([{ path: 'a/task.json', bytes: Buffer.from('{}') }]));
  writeFileSync(join(at, 'b.json'), '{}');
  expect((await readMountedSuite(at)).map((file) => file.path)).toEqual(['a/task.json']);
});

it('is the plain task files of a ConfigMap as the kubelet mounts it', async () => {
  const at = folder();
  mkdirSync(join(at, '..2026'));
  writeFileSync(join(at, '..2026', 'mine.json'), '{"instruction":"x"}');
  symlinkSync('..2026', join(at, '..data'));
  symlinkSync(join('..data', 'mine.json'), join(at, 'mine.json'));
  const [file, ...others] = await readMountedSuite(at);
  expect([file?.path, Buffer.from(file?.bytes ?? []).toString(), others]).toEqual([
    'mine.json',
    '{"instruction":"x"}',
    [],
  ]);
});

it('reports that there is none', async () => {
  await expect(readMountedSuite(folder())).rejects.toMatchObject({ code: 'ENOENT' });
});
