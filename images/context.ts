import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageSpec } from './catalog.ts';

export interface BuildContext {
  /** A folder with exactly the files that the image is built from. */
  readonly dir: string;
  /** 12 hex digits of the hash of these files and the base image. Used as the tag, so that equal content has equal tags. */
  readonly hash: string;
}

/** Not part of any image. */
const IGNORED = /\.(ts|md)$|^seccomp-/;

/**
 * Creates the build context of an image in `dist/images/`.
 * @param base id of the base image, which is part of the hash
 */
export async function gatherContext(root: string, spec: ImageSpec, base: string): Promise<BuildContext> {
  const source = join(root, 'images', spec.folder);
  const dist = join(root, 'dist');
  const dir = join(dist, 'images', spec.name);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const own = (await readdir(source)).filter((name) => !IGNORED.test(name)).map((name) => join(source, name));
  const programs = spec.programs.map((name) => join(dist, `${name}.js`));
  const binaries = (spec.binaries ?? []).map((name) => join(dist, name));
  const files = [...own, ...programs, ...binaries];
  const hash = createHash('sha256').update(base);
  for (const file of files.toSorted()) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    hash.update(`\0${name}\0`).update(await readFile(file));
    await copyFile(file, join(dir, name));
  }
  return { dir, hash: hash.digest('hex').slice(0, 12) };
}
