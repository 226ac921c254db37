import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, it } from 'vitest';
import { readSuiteArchive, writeSuiteArchive } from './suite-archive.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function tarOf(add: (writer: ReturnType<typeof pack>) => void): Promise<Uint8Array> {
  const writer = pack();
  add(writer);
  writer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of writer as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

it('is unchanged after a round trip, and the same files in another order give the same bytes', async () => {
  const files = [
    { path: 'b/task.json', bytes: bytes('{}') },
    { path: 'a.json', bytes: bytes('[]') },
  ];
  const archive = await writeSuiteArchive(files);
  expect(await writeSuiteArchive(files.toReversed())).toEqual(archive);
  expect((await readSuiteArchive(archive)).map((file) => file.path)).toEqual(['a.json', 'b/task.json']);
});

it.each(['../evil', '/etc/passwd', 'a/../../b', 'a\\b'])('refuses the path %s', async (name) => {
  const archive = await tarOf((writer) => writer.entry({ name }, 'x'));
  await expect(readSuiteArchive(archive)).rejects.toThrow(/invalid path/);
});

it('ignores folders', async () => {
  const archive = await tarOf((writer) => {
    writer.entry({ name: 'dir/', type: 'directory' });
    writer.entry({ name: './dir/task.json' }, '{}');
  });
  expect((await readSuiteArchive(archive)).map((file) => file.path)).toEqual(['dir/task.json']);
});

it.each(['symlink', 'link'] as const)('refuses a %s, since a task must not run without its files', async (type) => {
  const archive = await tarOf((writer) => {
    writer.entry({ name: 'a/task.json' }, '{}');
    writer.entry({ name: 'a/notes.txt', type, linkname: '/etc/passwd' });
  });
  await expect(readSuiteArchive(archive)).rejects.toThrow(/contains a link, "a\/notes.txt"; .*clawbench tasks pack/);
});

it('reports what is wrong with an invalid archive', async () => {
  await expect(readSuiteArchive(bytes('hello'))).rejects.toThrow(/not gzip/);
  await expect(readSuiteArchive(gzipSync('x'.repeat(2000)))).rejects.toThrow(/not a tar/);
  await expect(readSuiteArchive(gzipSync(Buffer.alloc(65 * 1024 * 1024)))).rejects.toThrow(/more than 64 MiB/);
});
