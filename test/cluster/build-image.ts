import { join } from 'node:path';
import { ensurePackages } from './packages.ts';
import { step } from './progress.ts';
import { run } from './run-command.ts';

/** What to build: `dir` is the build context. */
export interface ImageBuild {
  dir: string;
  /** `localhost/NAME:TAG`. Use a new tag per content: with a reused one and IfNotPresent the old image runs. */
  tag: string;
  buildArgs?: Record<string, string>;
  /** Path of the Dockerfile; default `dir/Dockerfile`. */
  file?: string;
}

/**
 * `--isolation chroot`, since the other modes start an OCI runtime for each step and the default one fails on hybrid
 * cgroup mounts; `--layers` is the cache; `--pull-never`, since every base image is made on this machine.
 */
export function buildArguments(image: ImageBuild): string[] {
  const args = Object.entries(image.buildArgs ?? {}).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  const file = image.file ?? join(image.dir, 'Dockerfile');
  return ['bud', '--isolation', 'chroot', '--layers', '--pull-never', ...args, '-f', file, '-t', image.tag, image.dir];
}

/**
 * Builds an ordinary Dockerfile into buildah's own store; `ensureBaseImages()` comes first.
 * @returns the image ID (sha256 hex), which changes exactly when the content does
 * @throws {CommandFailed} with the last lines of the build
 */
export async function buildImage(image: ImageBuild): Promise<string> {
  await ensurePackages();
  const output = await step(`building ${image.tag}`, () =>
    run('buildah', buildArguments(image), { limitMs: 1_800_000 }),
  );
  return output.trimEnd().split('\n').at(-1) ?? '';
}
