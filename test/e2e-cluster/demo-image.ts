import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deliver } from '../../images/deliver.ts';
import { ensureBaseImages } from '../cluster/base-images.ts';
import { buildImage } from '../cluster/build-image.ts';
import { builtProgram } from '../cluster/lifecycle.ts';

const SOURCE = join(import.meta.dirname, '../../test-cases/demo');

/** Builds the demo servers' image (tag = hash of its content) and delivers it; returns the reference for pods. */
export async function ensureDemoImage(deliver: Deliver): Promise<string> {
  const context = await mkdtemp(join(tmpdir(), 'clawbench-demo-image-'));
  try {
    await fillContext(context);
    const tag = `localhost/clawbench-demo:${await contentHash(context)}`;
    const { node } = await ensureBaseImages();
    await buildImage({ dir: context, tag, buildArgs: { BASE: node } });
    return await deliver(tag, 'changing');
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function fillContext(context: string): Promise<void> {
  await copyFile(join(SOURCE, 'image/Dockerfile'), join(context, 'Dockerfile'));
  await copyFile(await builtProgram('versitygw'), join(context, 'versitygw'));
  await build({
    entryPoints: {
      site: join(SOURCE, 'site/server.ts'),
      judge: join(SOURCE, 'judge/server.ts'),
      provider: join(import.meta.dirname, 'scripted-provider.ts'),
      signup: join(import.meta.dirname, 'signup-site.ts'),
    },
    outdir: context,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  });
}

async function contentHash(context: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['Dockerfile', 'versitygw', 'site.js', 'judge.js', 'provider.js', 'signup.js'])
    hash.update(await readFile(join(context, name)));
  return hash.digest('hex').slice(0, 16);
}
