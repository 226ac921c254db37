import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildImage } from './build-image.ts';
import { ctr, loadArchive, loadedId } from './load-archive.ts';
import { cacheDir, PAUSE_IMAGE, REPOSITORY } from './places.ts';
import { run } from './run-command.ts';

const SOURCE = join(REPOSITORY, 'test/cluster/pause/pause.c');

/** Kubelet's image collection must not remove it, whatever it thinks of its use. */
const PINNED = { 'io.cri-containerd.pinned': 'pinned' };

/** The image of every pod's first container, made here since the usual one can't be pulled. */
export async function ensurePauseImage(): Promise<void> {
  if (loadedId(await ctr(['images', 'ls', `name==${PAUSE_IMAGE}`]), PAUSE_IMAGE) !== undefined) return;
  await mkdir(cacheDir(), { recursive: true });
  const dir = await mkdtemp(join(cacheDir(), 'pause-'));
  try {
    await copyFile(SOURCE, join(dir, 'pause.c'));
    await run('gcc', ['-Os', '-static', '-s', '-o', join(dir, 'pause'), join(dir, 'pause.c')]);
    const lines = ['FROM scratch', 'COPY pause /pause', 'USER 65535:65535', 'ENTRYPOINT ["/pause"]'];
    await writeFile(join(dir, 'Dockerfile'), `${lines.join('\n')}\n`);
    await buildImage({ dir, tag: PAUSE_IMAGE });
    await loadArchive(PAUSE_IMAGE, PINNED);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
