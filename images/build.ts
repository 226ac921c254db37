import { join } from 'node:path';
import { ensureBaseImages } from '../test/cluster/base-images.ts';
import { buildImage } from '../test/cluster/build-image.ts';
import { tryRun } from '../test/cluster/run-command.ts';
import { bundle } from './bundle.ts';
import { IMAGES, RELEASE_IMAGES } from './catalog.ts';
import { gatherContext } from './context.ts';
import { buildStatic } from './static-build.ts';

const ROOT = join(import.meta.dirname, '..');

export interface BuiltImage {
  readonly name: string;
  /** `localhost/clawbench-NAME:HASH` in buildah's store. */
  readonly tag: string;
  readonly big: boolean;
  /** As buildah reports it, base included. */
  readonly size: string;
}

/** Builds the images that have changed. */
export async function buildImages(names: readonly string[] = RELEASE_IMAGES): Promise<BuiltImage[]> {
  const specs = IMAGES.filter(({ name }) => names.includes(name));
  const programs = [...new Set(specs.flatMap((spec) => spec.programs))];
  const binaries = [...new Set(specs.flatMap((spec) => spec.binaries ?? []))];
  const compiled = Promise.all(binaries.map((name) => buildStatic(ROOT, name)));
  const [bases, made] = await Promise.all([ensureBaseImages(), bundle(programs), compiled]);
  const complete = specs.filter((spec) => spec.programs.every((program) => program in made));
  const baseIds = new Map<string, string>();
  for (const base of new Set(complete.map((spec) => bases[spec.base]))) baseIds.set(base, await idOf(base));
  const found = await Promise.all(
    complete.map(async (spec) => {
      const base = bases[spec.base];
      const { dir, hash } = await gatherContext(ROOT, spec, baseIds.get(base) ?? base);
      const tag = `localhost/clawbench-${spec.name}:${hash}`;
      return { spec, base, dir, tag, size: await sizeOf(tag) };
    }),
  );
  const built: BuiltImage[] = [];
  for (const { spec, base, dir, tag, size } of found) {
    if (size === null) await buildImage({ dir, tag, buildArgs: { BASE: base } });
    built.push({ name: spec.name, tag, big: spec.big === true, size: size ?? (await sizeOf(tag)) ?? 'unknown' });
  }
  return built;
}

async function idOf(base: string): Promise<string> {
  const id = await tryRun('buildah', ['inspect', '--type', 'image', '--format', '{{.FromImageID}}', base]);
  return id?.trim() ?? base;
}

async function sizeOf(tag: string): Promise<string | null> {
  const found = await tryRun('buildah', ['images', '--noheading', '--format', '{{.Size}}', tag]);
  const text = found?.trim() ?? '';
  return text === '' ? null : text;
}
